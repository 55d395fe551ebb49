/** The `file` pack. */

export { createFilePack } from "./pack.ts";
