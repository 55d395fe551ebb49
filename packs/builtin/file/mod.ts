/** The `file` pack. */

export { createFilePack } from "./pack.ts";
export type { FileSettings } from "./settings.ts";
