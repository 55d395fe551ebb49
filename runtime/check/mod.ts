/** The resident type checker. */

export { createChecker } from "./checker.ts";
export type { Checker, CheckResult, Diagnostic } from "./types.ts";
