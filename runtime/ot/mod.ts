/** The pack through which an agent finds its way. */

export type { OtDeps } from "./deps.ts";
export { createFinder, type Finder, type FinderDeps } from "./lookup/find.ts";
export { createOtPack, OT } from "./ot_pack.ts";
export { readResult, type ReadResultDeps } from "./result/result.ts";
