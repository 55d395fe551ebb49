/** The `text` pack. */

export { createTextPack } from "./pack.ts";
