/** Errors of extension packs and their calls. */

import { lastWords, messageOf } from "#base";
import { PackError } from "../errors.ts";
import { shorten } from "../mcp/call/call_result.ts";
import { WorkerEnded, WorkerFault } from "./process/channel.ts";
import type { PackFile } from "./types.ts";

/** A pack that cannot be used now. */
export class PackUnusable extends Error {
  override readonly name = "PackUnusable";
  /** A short fixed phrase, for a status page. */
  readonly phrase: string;
  readonly line: number | undefined;
  readonly fix: string | undefined;
  constructor(
    message: string,
    { phrase, line, fix, cause }: {
      readonly phrase: string;
      readonly line?: number;
      readonly fix?: string;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause });
    this.phrase = phrase;
    this.line = line;
    this.fix = fix;
  }
}

export interface FailureContext {
  readonly file: PackFile;
  readonly hasHeader: boolean;
  /** `weather.forecast`. */
  readonly tool: string;
  readonly timeoutMs: number;
  /** The caller's own signal. */
  readonly signal: AbortSignal | undefined;
  readonly stderr: string;
  /** Last call of the tool that a look refused. */
  readonly refused: PackError | undefined;
}

/** The error of one call. */
export function callFailure(error: unknown, context: FailureContext): PackError {
  const { tool, signal, timeoutMs } = context;
  const fail = (code: PackError["code"], state: string, retryable = false, details = {}) =>
    new PackError(code, `Cannot call "${tool}": ${state}`, {
      tool,
      retryable,
      details,
      cause: error,
    });
  if (error instanceof PackError) return error;
  if (signal?.aborted) return fail("cancelled", "the call was cancelled");
  if (error instanceof PackUnusable) {
    const { fix, phrase, line } = error;
    const place = line === undefined ? "" : ` (line ${line})`;
    const state = `${error.message}${place}${fix === undefined ? "" : `: ${fix}`}`;
    return fail("unavailable", `the pack cannot be loaded: ${state}`, false, { reason: phrase });
  }
  if (error instanceof WorkerEnded) {
    const output = wordsIn(context.stderr);
    const state =
      `the pack's process is gone: ${error.message}${output}: the next call starts it again`;
    return fail("unavailable", state, true, { reason: "process ended" });
  }
  if (error instanceof WorkerFault) return faultFailure(error, context);
  if (error instanceof DOMException && error.name === "TimeoutError") {
    const seconds = timeoutMs / 1000;
    const key = `packs.${context.file.name}.timeout`;
    return fail("timeout", `no answer within ${seconds} s: raise "${key}"`, true, {
      after_ms: timeoutMs,
    });
  }
  return fail("unavailable", String(error), true, { reason: "cannot be started" });
}

function faultFailure(error: WorkerFault, context: FailureContext): PackError {
  const { tool } = context;
  const refused = error.code === "read_only" ? context.refused : undefined;
  const code = error.code === "too_large" ? "too_large" : refused?.code ?? "tool_error";
  const line = error.line ?? lineOf(error.stack_, context.file.file);
  const place = line === undefined ? "" : ` (line ${line})`;
  const text = `${error.thrown}: ${shorten(wordsOf(error))}${place}${hint(error, context)}`;
  return new PackError(code, `Tool "${tool}" failed: ${text}`, {
    tool,
    cause: error,
    details: { ...refused?.details, name: error.thrown, ...(line === undefined ? {} : { line }) },
  });
}

/** Error of a failed load, from the error and stderr of the process. */
export function loadFailure(
  error: unknown,
  context: Pick<FailureContext, "file" | "hasHeader" | "stderr">,
): PackUnusable {
  if (error instanceof PackUnusable) return error;
  if (error instanceof WorkerFault) {
    const line = error.line ?? lineOf(`${error.message}\n${error.stack_}`, context.file.file);
    const [first = ""] = wordsOf(error).split("\n");
    const message = `${error.thrown}: ${first}${hint(error, context)}`;
    return new PackUnusable(message, { phrase: "cannot be loaded", line, cause: error });
  }
  const state = messageOf(error);
  const output = wordsIn(context.stderr);
  return new PackUnusable(`${state}${output}`, { phrase: "cannot be started", cause: error });
}

/** Message without Deno's advice about flags. */
function wordsOf({ message }: WorkerFault): string {
  return message.replace(/, run again with the --allow-\w+ flag$/, "");
}

/** Hint at a missing dependency or permission, where that is the cause (WRK-14). */
function hint(
  error: WorkerFault,
  { file, hasHeader }: Pick<FailureContext, "file" | "hasHeader">,
): string {
  if (file.language === "python") {
    const isMissing = error.thrown === "ModuleNotFoundError" && !error.message.includes("header");
    if (!isMissing) return "";
    if (hasHeader) return ": add it to the dependencies in the file's header";
    return ": the file has no `# /// script` header that names its dependencies";
  }
  if (error.thrown === "NotCapable") {
    const source = hasHeader
      ? "its header"
      : "a `// /// script` header, which the file does not have,";
    return `: a pack may only what ${source} asks for and packs.${file.name}.permissions grants`;
  }
  if (
    !/not a dependency|not in import map|Could not find npm package|not prefixed/.test(
      error.message,
    )
  ) {
    return "";
  }
  if (hasHeader) return ": add it to the dependencies in the file's header";
  return ": the file has no `// /// script` header that names its dependencies";
}

/** Line of the pack's file nearest to the throw: the first frame of JavaScript, the last of Python. */
function lineOf(stack: string, file: string): number | undefined {
  const at = stack.indexOf(`${file}:`);
  const [, first] = at < 0 ? [] : /^:(\d+)/.exec(stack.slice(at + file.length)) ?? [];
  if (first !== undefined) return Number(first);
  const frame = `"${file}", line `;
  const last = stack.lastIndexOf(frame);
  const line = last < 0 ? NaN : parseInt(stack.slice(last + frame.length));
  return Number.isNaN(line) ? undefined : line;
}

function wordsIn(stderr: string): string {
  const line = lastWords(stderr);
  return line === "" ? "" : ` (${shorten(line)})`;
}
