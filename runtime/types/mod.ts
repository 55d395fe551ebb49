/** Types for programs: from schemas to the module that `toolscript` resolves to. */

export { createEmitter, type EmitterOptions } from "./emitter.ts";
export type { ProjectRow } from "./proj.ts";
export type { Emitter } from "./types.ts";
