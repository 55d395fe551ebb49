/** Validation of code before it runs. */

export { createSecurityPolicy, DEFAULT_LISTS } from "./defaults.ts";
export { lintCode, type LintOptions, type LintWarning } from "./lint.ts";
export type {
  FindingLevel,
  LiteralUse,
  ValidateOptions,
  Validation,
  ValidationFinding,
} from "./types.ts";
export { validateCode } from "./validate.ts";
