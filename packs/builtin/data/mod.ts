/** The `data` pack. */

export { createDataPack } from "./pack.ts";
