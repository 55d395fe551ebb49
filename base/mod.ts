/** Door of the lowest floor: JSON, bytes, foreign text, waiting, child processes, log and traces. */

export {
  abortable,
  type AbortableOptions,
  createQueue,
  FollowingController,
  idle,
  once,
  shared,
  sleep,
  within,
  type WorkQueue,
} from "./async.ts";
export { attempt, messageOf } from "./attempt.ts";
export { BatchWriter } from "./batch_writer.ts";
export { ByteBuffer } from "./byte_buffer.ts";
export { canonicalJson } from "./canonical_json.ts";
export { type ChildEnd, endWith, lastWords } from "./child_process.ts";
export { ChunkReader } from "./chunk_reader.ts";
export { Clock } from "./clock.ts";
export { exactText, isUnclear } from "./exact_text.ts";
export { FairQueue } from "./fair_queue.ts";
export { findProgram, SYSTEM_PATH, withinMemory } from "./find_program.ts";
export { isForeignListener, isForeignPeer, isOwnHost, isThisMachine } from "./foreign_peer.ts";
export { http1Fetch, HTTP_1 } from "./http1_fetch.ts";
export {
  escapeLines,
  escapeUnseen,
  inPieces,
  ROW,
  setOff,
  setOffRest,
  shorten,
  visibleLine,
} from "./foreign_text.ts";
export { inlineModule } from "./inline_module.ts";
export { joinBytes } from "./join_bytes.ts";
export {
  createNameLookup,
  type HostAddress,
  type NameAsker,
  type NameLookup,
} from "./name_lookup.ts";
export { countParts, sizeAsJson, sizeIndented } from "./json_size.ts";
export { isObject, type JsonObject, type JsonPrimitive, type JsonValue } from "./json.ts";
export { Listeners } from "./listeners.ts";
export { type LineEnds, LineTooLong, readLines } from "./lines.ts";
export { type Log, type LogLevel, silent } from "./log.ts";
export {
  createTurns,
  isLarge,
  keysOf,
  LARGE,
  parseLarge,
  TooManyParts,
  type Turn,
} from "./large_json.ts";
export { holdsOver, isNestedOver, MOST_LEVELS, NestingMeter, TooDeep } from "./nesting.ts";
export { countOpenFiles, openFileLimit } from "./open_files.ts";
export { ownText } from "./own_text.ts";
export { createPace, type Pace } from "./pace.ts";
export { PartSearch } from "./part_search.ts";
export { isPlainSchema } from "./plain_schema.ts";
export { processorMs } from "./processor_time.ts";
export { referenceName, resolveReference } from "./references.ts";
export { createSemaphore, type Semaphore } from "./semaphore.ts";
export { type Attributes, type Span, type TraceContext, type Tracer, untraced } from "./trace.ts";
