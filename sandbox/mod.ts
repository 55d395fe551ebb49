/** Door of the sandbox: one locked-down Deno process for one run. */

export {
  abortable,
  type AbortableOptions,
  createQueue,
  once,
  sleep,
  within,
  type WorkQueue,
} from "./async.ts";
export { BatchWriter } from "./batch_writer.ts";
export { type ChildEnd, endWith } from "./child_process.ts";
export { ChunkReader } from "./chunk_reader.ts";
export { Clock } from "./clock.ts";
export { findProgram } from "./find_program.ts";
export { inlineModule } from "./inline.ts";
export { isObject, type JsonObject, type JsonPrimitive, type JsonValue } from "./json.ts";
export { joinBytes } from "./join_bytes.ts";
export { LineTooLong, readLines } from "./lines.ts";
export { type Log, type LogLevel, silent } from "./log.ts";
export { isNestedOver, MOST_LEVELS, NestingMeter, TooDeep } from "./nesting.ts";
export type { Frame, Outcome } from "./outcome.ts";
export { randomName } from "./process.ts";
export { createSandbox } from "./sandbox.ts";
export * from "./types.ts";
export { type Attributes, type Span, type TraceContext, type Tracer, untraced } from "./trace.ts";
