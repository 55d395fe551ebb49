/** Size of a value as JSON, measured in pieces, so that it does not block the event loop. */

import { Buffer } from "node:buffer";
import { createTurns, type JsonValue, LARGE } from "#base";
import { leastSize } from "../../reply/size.ts";
import { partsOf } from "../../reply/stored_text.ts";

/** Size of a piece, in characters. */
const PIECE = 16_384;
/** Depth below which a value is written in one piece. */
const MAX_LEVEL = 1_000;

export interface JsonText {
  /** Bytes of `JSON.stringify(value)`. */
  readonly bytes: number;
  /** Its beginning. */
  readonly start: string;
}

/** Measures a value, and returns at most `keep` characters of its text. */
export async function jsonText(value: JsonValue, keep: number): Promise<JsonText> {
  if (leastSize(value, PIECE) <= PIECE) return measured(textOf(value), keep);
  let bytes = 0;
  let start = "";
  const turn = createTurns();
  for (const piece of pieces(value, 0)) {
    bytes += Buffer.byteLength(piece, "utf8");
    if (start.length < keep) start += piece.slice(0, keep - start.length);
    await turn();
  }
  return { bytes, start: start.toWellFormed() };
}

function measured(text: string, keep: number): JsonText {
  return { bytes: Buffer.byteLength(text, "utf8"), start: text.slice(0, keep).toWellFormed() };
}

/** The whole text of `JSON.stringify(value)`; that of a small value is written at once. */
export async function jsonOf(value: JsonValue): Promise<string> {
  if (leastSize(value, LARGE) <= LARGE) return JSON.stringify(value);
  return (await jsonText(value, Infinity)).start;
}

function* pieces(value: JsonValue, level: number): Generator<string> {
  if (level >= MAX_LEVEL || leastSize(value, PIECE) <= PIECE) {
    yield textOf(value);
  } else if (typeof value === "string") {
    yield* stringPieces(value);
  } else if (typeof value === "object" && value !== null) {
    const isList = Array.isArray(value);
    yield isList ? "[" : "{";
    let joint = "";
    for (const part of partsOf(value)) {
      yield joint;
      joint = ",";
      if (part.kind === "few") {
        yield textOf(part.value).slice(1, -1);
        continue;
      }
      if (!isList) yield `${JSON.stringify(part.key)}:`;
      yield* pieces(part.value, level + 1);
    }
    yield isList ? "]" : "}";
  }
}

function* stringPieces(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + PIECE);
    // The two halves of a character stay together.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}

/** Writes a piece; a value that is too deep for `JSON.stringify` counts with its least size. */
function textOf(value: JsonValue): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    if (error instanceof RangeError) return " ".repeat(Math.min(leastSize(value, 1e7), 1e7));
    throw error;
  }
}
