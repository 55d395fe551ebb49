/** The reply: from a run's value to the text that goes back. */

export { FORMATS } from "./format_names.ts";
export { serialiseResult, serializeLookup } from "./formats.ts";
export { byteLength, clipText, countLines } from "./lines.ts";
export { createReplyWriter, type ReplyWriter } from "./reply_text.ts";
export { neutralize, sanitize } from "./sanitize.ts";
export { createResultStore, type ResultStore, type StoredResult } from "./store.ts";
export { storedText } from "./stored_text.ts";
export { summarize, type Summarized } from "./summary.ts";
