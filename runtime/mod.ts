/** Door of the runtime: from a program's text to its reply. */

export type { Checker, CheckResult, CheckSource, Diagnostic } from "./check/types.ts";
export * from "./run_types.ts";
export type { Emitter } from "./types/types.ts";
