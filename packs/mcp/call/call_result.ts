/** Result of a tool as the value that a program gets. */

import {
  attempt,
  isLarge,
  isNestedOver,
  isObject,
  type JsonValue,
  LARGE,
  MOST_LEVELS,
  parseLarge,
} from "#base";
import { MOST_PARTS } from "../connect/long_messages.ts";
import { PackError } from "../../errors.ts";
import type { CallResult, Content } from "../../types.ts";

const MAX_MESSAGE = 2_000;
const MAX_READ = 1_000_000;

type Parse = (text: string) => JsonValue;

/** Reads the result of `tools/call` as `readCallResult` does, a large text in pieces. */
export async function readAnswer(result: unknown, tool: string): Promise<CallResult> {
  const content = isObject(result) && Array.isArray(result.content) ? result.content : [];
  const size = content.reduce(
    (sum, block) => sum + (isObject(block) ? textOf(block).length : 0),
    0,
  );
  if (size < LARGE) return readCallResult(result, tool);
  let large = "";
  readCallResult({ ...result as object, isError: false }, tool, (text) => large = text);
  const value = startsContainer(large)
    ? await attempt(async () => await parseLarge(large, MOST_PARTS), large) as JsonValue
    : large;
  return readCallResult(result, tool, () => value);
}

/** Reads the result of `tools/call`. Throws `PackError("tool_error")` for `isError` and for an invalid
 * result. */
export function readCallResult(
  result: unknown,
  tool: string,
  parse: Parse = parseContainer,
): CallResult {
  if (!isObject(result)) {
    throw new PackError("tool_error", `Cannot read the answer of "${tool}": it is not an object`, {
      tool,
    });
  }
  const blocks = Array.isArray(result.content) ? result.content.filter(isObject) as Content[] : [];
  const texts = blocks.flatMap((block) => block.type === "text" ? [textOf(block)] : []);
  const text = texts.join("\n");
  if (result.isError === true) {
    const message = shorten(text.trim()) || "the server gave no reason";
    throw new PackError("tool_error", `Tool "${tool}" failed: ${message}`, {
      tool,
      retryable: isRetryable(readValue(result, { blocks, text, parse })),
      // A large one would be written at once, in every error that it becomes.
      details: isLarge(result.content) ? {} : { content: blocks },
    });
  }
  return {
    value: readValue(result, { blocks, text: texts.length > 0 ? text : undefined, parse }),
    ...(blocks.some((block) => block.type !== "text") ? { content: blocks } : {}),
  };
}

/** True for an error that says of itself that the same call may succeed later. */
function isRetryable(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  return value.retryable === true || isObject(value.error) && value.error.retryable === true;
}

/** Value that a program gets of a result, also of a forwarded one; undefined for an error, and for a
 * forwarded text that is too long to read again. */
export function resultValue({ value, result }: CallResult): JsonValue | undefined {
  if (!result) return value;
  if (result.isError === true || result.resultType === "input_required") return undefined;
  const blocks = Array.isArray(result.content) ? result.content.filter(isObject) : [];
  const isLong = blocks.some(({ text }) => typeof text === "string" && text.length > MAX_READ);
  return isLong ? undefined : readCallResult(result, "").value;
}

/** Text of a server, shortened for a message; the details hold all of it. */
export function shorten(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
}

interface Answer {
  readonly blocks: readonly Content[];
  readonly text: string | undefined;
  readonly parse: Parse;
}

function textOf({ text }: Record<string, unknown>): string {
  return String(text ?? "");
}

function readValue(result: Record<string, unknown>, { blocks, text, parse }: Answer): JsonValue {
  const { structuredContent } = result;
  if (structuredContent !== undefined && structuredContent !== null) {
    return structuredContent as JsonValue;
  }
  // Servers of 2024-10 answered with `toolResult` instead of content.
  if (text === undefined && result.toolResult !== undefined) return result.toolResult as JsonValue;
  if (text !== undefined) return parse(text);
  // Images and resources alone are the value, so that a program can return them.
  return (blocks.length > 1 ? blocks : blocks[0]) ?? null;
}

/** An object or array that `text` spells, else the text itself. */
function parseContainer(text: string): JsonValue {
  if (!startsContainer(text) || isNestedOver(text, MOST_LEVELS)) return text;
  // Text that only begins like JSON.
  return attempt(() => JSON.parse(text), text);
}

function startsContainer(text: string): boolean {
  const start = text.trimStart()[0];
  return start === "{" || start === "[";
}
