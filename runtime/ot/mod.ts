/** The pack through which an agent finds its way. */

export type { OtDeps } from "./deps.ts";
export { createOtPack, OT } from "./ot_pack.ts";
