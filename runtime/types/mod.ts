/** Types for programs: from schemas to the module that `toolscript` resolves to. */

export { createEmitter } from "./emitter.ts";
export type { Emitter } from "./types.ts";
