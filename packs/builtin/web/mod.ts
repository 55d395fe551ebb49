/** The `web` pack. */

export { createWebPack } from "./pack.ts";
