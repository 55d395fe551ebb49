/** Text of a stored result: structured values as indented JSON, so that it can be read by lines. */

import { setImmediate } from "node:timers/promises";
import type { JsonValue } from "#base";
import { serialiseResult } from "./formats.ts";
import { leastSize } from "./size.ts";

/** Characters written before the loop yields. */
const YIELD_AFTER = 500_000;
/** Longest text that is written in one piece, in characters. */
const PIECE = 50_000;
/** Depth below which a value is written in one piece. */
const MAX_LEVEL = 20;

/** Writes a string unchanged, any other value as indented JSON; in pieces, so that it does not
 * block the event loop. */
export async function storedText(value: JsonValue): Promise<string> {
  if (typeof value === "string") return value;
  const pieces: string[] = [];
  let count = 0;
  for (const piece of piecesOf(value, 0)) {
    pieces.push(piece);
    count += piece.length;
    if (count < YIELD_AFTER) continue;
    count = 0;
    await setImmediate();
  }
  return pieces.join("");
}

/** Generates the text of `JSON.stringify(value, null, 2)` in pieces. */
function* piecesOf(value: JsonValue, level: number): Generator<string> {
  const isLarge = level < MAX_LEVEL && leastSize(value, PIECE) > PIECE;
  if (typeof value !== "object" || value === null || !isLarge) {
    yield indented(value, level);
    return;
  }
  const isList = Array.isArray(value);
  yield isList ? "[" : "{";
  let joint = "";
  for (const part of partsOf(value)) {
    yield joint;
    joint = ",";
    if (part.kind === "few") yield unwrapped(indented(part.value, level));
    else {
      yield `\n${"  ".repeat(level + 1)}${isList ? "" : `${JSON.stringify(part.key)}: `}`;
      yield* piecesOf(part.value, level + 1);
    }
  }
  yield `\n${"  ".repeat(level)}${isList ? "]" : "}"}`;
}

export type Part =
  /** Some neighbours, in a list or an object of their own. */
  | { readonly kind: "few"; readonly value: JsonValue }
  | { readonly kind: "large"; readonly key: string; readonly value: JsonValue };

/** The parts of a list or an object: large ones alone, small ones together. */
export function* partsOf(value: JsonValue & object): Generator<Part> {
  const isList = Array.isArray(value);
  let few: Entry[] = [];
  let size = 0;
  for (const entry of isList ? value.entries() : Object.entries(value)) {
    const [key, item] = entry;
    const least = leastSize(item, PIECE) + 10;
    if (few.length > 0 && size + least > PIECE) {
      yield together(few, isList);
      few = [];
      size = 0;
    }
    if (least > PIECE) yield { kind: "large", key: String(key), value: item };
    else {
      few.push(entry);
      size += least;
    }
  }
  if (few.length > 0) yield together(few, isList);
}

type Entry = [key: string | number, value: JsonValue];

function together(entries: readonly Entry[], isList: boolean): Part {
  const value = isList ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  return { kind: "few", value };
}

/** Strings in JSON hold no line ends, so every one of them is the writer's. */
function indented(value: JsonValue, level: number): string {
  const text = typeof value === "string" ? JSON.stringify(value) : serialiseResult(value, "json_h");
  return level === 0 ? text : text.replaceAll("\n", `\n${"  ".repeat(level)}`);
}

/** Without the bracket before the first line end and the last line end with its bracket. */
function unwrapped(text: string): string {
  return text.slice(1, text.lastIndexOf("\n"));
}
