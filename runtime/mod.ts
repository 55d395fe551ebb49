/** Door of the runtime: from a program's text to its reply. */

export { type Catalog, type CatalogNames, createCatalog } from "./catalog.ts";
export { type Checker, type CheckResult, createChecker, type Diagnostic } from "./check/mod.ts";
export {
  createJournal,
  type Excerpt,
  excerpt,
  type Journal,
  type JournalCall,
  type JournalEvent,
  type RunDetails,
  type RunFacets,
  type RunFilter,
  type RunSummary,
} from "./journal/mod.ts";
export { createModuleDescriber } from "./describe/mod.ts";
export {
  callName,
  createFinder,
  createOtPack,
  createOtPlaces,
  type Finder,
  OT,
  type OtPlaces,
  readResult,
  wholeTool,
} from "./ot/mod.ts";
export {
  createProgramReader,
  findLinks,
  type LintFinding,
  lintProgram,
  parseModule,
  type ProgramReader,
  resolveImport,
  wrongKey,
} from "./program/mod.ts";
export {
  type Answerer,
  type AnswerSource,
  createInbox,
  type GivenAnswer,
  type Inbox,
  type InboxAnswer,
  type InboxEvent,
  type Notice,
  type OpenQuestion,
  type WaitingQuestion,
} from "./inbox/mod.ts";
export {
  createReplyWriter,
  createResultStore,
  type ResultStore,
  sanitize,
  serialiseResult,
  serializeLookup,
  type StoredResult,
} from "./reply/mod.ts";
export { type Confirmations, createConfirmations } from "./run/approval/confirmations.ts";
export { type RefusalCode, RunRefused } from "./run/errors.ts";
export type { AnswerCall } from "./run/calls/calls.ts";
export { createCallKeeper, type KeptCall } from "./run/approval/call_keeper.ts";
export { createRunQuestions, type Unconfirmed } from "./run/approval/run_questions.ts";
export { createApprovals } from "./run/approval/approvals.ts";
export { argumentText, questionText } from "./run/approval/question_text.ts";
export { createPerson, waitingProgress } from "./run/approval/person.ts";
export { callText, planQuestionText, writePlanQuestion } from "./run/plan/plan_text.ts";
export { boundPeer } from "./run/calls/peer.ts";
export { createRunner, type Runner } from "./run/run.ts";
export type {
  Answer,
  Ask,
  CommandRequest,
  Question,
  RunEvent,
  RunReply,
  RunRequest,
  ScriptRequest,
} from "./run/types.ts";
export {
  createHabits,
  createSearchEngine,
  type Habits,
  type SearchItem,
  toolItem,
} from "./search/mod.ts";
export { createShapes, type Shapes } from "./shapes/mod.ts";
export { createSnippetPack } from "./snippet_pack.ts";
export {
  auditOfConfirmation,
  auditOfQuestion,
  auditOfTrust,
  createStatistics,
  jsonOf,
  type Period,
  PERIODS,
  rejectedRun,
  reportFragment,
  type Statistics,
} from "./stats/mod.ts";
export { createModuleGenerator, type ModuleGenerator } from "./types/mod.ts";
export { createSecurityPolicy, lintCode, validateCode } from "./validate/mod.ts";
