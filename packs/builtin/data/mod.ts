/** The `data` pack. */

export { createDataPack } from "./pack.ts";
export type { DataSettings } from "./settings.ts";
