/** The pack through which an agent finds its way. */

export type { OtDeps } from "./deps.ts";
export { createFinder, type Finder, type FinderDeps } from "./find.ts";
export { createOtPack, OT } from "./ot_pack.ts";
export { readResult, type ReadResultDeps } from "./result.ts";
