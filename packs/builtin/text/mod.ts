/** The `text` pack. */

export { createTextPack } from "./pack.ts";
export type { TextSettings } from "./settings.ts";
