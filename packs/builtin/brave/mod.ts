/** The `brave` pack. */

export { createBravePack } from "./pack.ts";
export type { BraveSettings } from "./settings.ts";
