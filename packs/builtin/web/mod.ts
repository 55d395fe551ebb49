/** The `web` pack. */

export { createWebPack } from "./pack.ts";
export type { WebSettings } from "./settings.ts";
