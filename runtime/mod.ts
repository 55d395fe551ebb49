/** Door of the runtime: from a program's text to its reply. */

export { type Catalog, type CatalogNames, createCatalog } from "./catalog.ts";
export * from "./check/mod.ts";
export * from "./describe/mod.ts";
export * from "./ot/mod.ts";
export * from "./program/mod.ts";
export * from "./reply/mod.ts";
export {
  type Confirmations,
  type ConfirmationsDeps,
  createConfirmations,
  subjectOfCall,
} from "./run/confirmations.ts";
export { type RefusalCode, RunRefused } from "./run/errors.ts";
export type { AnswerCall } from "./run/calls.ts";
export { type Asking, createAsking, type Unconfirmed } from "./run/asking.ts";
export { createApprovals } from "./run/approvals.ts";
export { argumentLines, nameText, questionText } from "./run/question_text.ts";
export { createRunner, type EndedRun, type Runner, type RunnerDeps } from "./run/run.ts";
export type { RunOptions } from "./run/stage.ts";
export * from "./run/types.ts";
export { createSearchEngine, type SearchHit, type SearchItem, toolItem } from "./search/mod.ts";
export { createSnippetPack } from "./snippet_pack.ts";
export { createStatistics, type Statistics, type StatisticsOptions } from "./stats/mod.ts";
export * from "./types/mod.ts";
export * from "./validate/mod.ts";
export { type Trigger, TRIGGERS } from "./triggers.ts";
