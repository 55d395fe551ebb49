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

type Parse = (text: string) => JsonValue;

/** Reads the result of `tools/call` as `readCallResult` does, a large text in pieces. */
export async function readAnswer(result: unknown, tool: string): Promise<CallResult> {
  if (!isObject(result) || sizeOf(result) < LARGE) return readCallResult(result, tool);
  let large = "";
  readCallResult({ ...result, isError: false }, tool, (text) => large = text);
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
  const blocks = blocksOf(result);
  const texts = blocks.flatMap((block) => block.type === "text" ? [textOf(block)] : []);
  const text = texts.join("\n");
  if (result.isError === true) {
    const message = shorten(text.trim()) || "the server gave no reason";
    throw new PackError("tool_error", `Tool "${tool}" failed: ${message}`, {
      tool,
      retryable: isRetryable(readValue(result, { blocks, text, parse })),
      // A large one would be serialized in one piece, in every error that it becomes part of.
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

/** Value that a program gets from a result, also from a forwarded one. Undefined for an error, and
 * for forwarded texts that are large in total, since they would be parsed in one piece. */
export function resultValue({ value, result }: CallResult): JsonValue | undefined {
  if (!result) return value;
  if (result.isError === true || result.resultType === "input_required") return undefined;
  return sizeOf(result) < LARGE ? readCallResult(result, "").value : undefined;
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

function blocksOf({ content }: Record<string, unknown>): readonly Content[] {
  return Array.isArray(content) ? content.filter(isObject) as Content[] : [];
}

/** Characters of all texts, each with its line break. */
function sizeOf(result: Record<string, unknown>): number {
  return blocksOf(result).reduce((sum, block) => sum + textOf(block).length + 1, 0);
}

/** Text of a block; empty for a list or an object in its place, whose text could be of any length. */
function textOf({ text }: Record<string, unknown>): string {
  return typeof text === "object" ? "" : String(text ?? "");
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
