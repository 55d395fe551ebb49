/** The resident type checker. */

export { type CheckerDeps, createChecker } from "./checker.ts";
export type { Checker, CheckResult, CheckSource, Diagnostic } from "./types.ts";
