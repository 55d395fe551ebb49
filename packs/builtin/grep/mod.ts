/** The `grep` pack. */

export { createGrepPack } from "./pack.ts";
export type { GrepSettings } from "./settings.ts";
