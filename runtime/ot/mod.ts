/** The pack through which an agent finds its way. */

export { createFinder, type Finder } from "./lookup/find.ts";
export { createOtPack, OT } from "./ot_pack.ts";
export { readResult } from "./result/result.ts";
