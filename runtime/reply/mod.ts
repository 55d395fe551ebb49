/** The reply: from a run's value to the text that goes back. */

export { type Format, FORMATS } from "./format_names.ts";
export { asFormat, serialiseResult, serializeLookup } from "./formats.ts";
export { byteLength, clipText, countLines, eachLine } from "./lines.ts";
export {
  createReplyWriter,
  type ReplyText,
  type ReplyTextDeps,
  type ReplyTextOptions,
  type ReplyWriter,
} from "./reply_text.ts";
export { neutralize, sanitize, type SanitizeOptions } from "./sanitize.ts";
export {
  createResultStore,
  type FoundResult,
  type PutOptions,
  type ResultStore,
  type ResultStoreOptions,
  type StoredResult,
} from "./store.ts";
export { storedText } from "./stored_text.ts";
export { type ResultSummary, summarize, type Summarized, type SummaryOptions } from "./summary.ts";
