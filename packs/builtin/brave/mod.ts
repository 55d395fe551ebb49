/** The `brave` pack. */

export { createBravePack } from "./pack.ts";
