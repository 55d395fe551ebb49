/** Door of the paths that are closed to programs, in whatever folders they may use. */

export {
  type ChangeOptions,
  type ClosedPaths,
  type ClosedPathsDeps,
  createClosedPaths,
} from "./closed_paths.ts";
export { createLooks, type LooksDeps } from "./look/looks.ts";
export { createLookProcess } from "./look/process.ts";
export { draftName, isDraft } from "./names.ts";
export { linkReason, type ReadNames, readReason, type ReadRules } from "./read_rules.ts";
export type { ClosedSources } from "./rules.ts";
export type { Refusal } from "./write_rules.ts";
