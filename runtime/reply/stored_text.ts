/** Text of a stored result: structured values as indented JSON, so that it can be read by lines. */

import { createTurns, type JsonValue, keysOf } from "#base";
import { serialiseResult } from "./formats.ts";
import { indentationByLevel, leastSize } from "./size.ts";

/** Longest text that is written in one piece, in characters. */
const PIECE = 50_000;
/** Depth below which a value is written in one piece. */
const MAX_LEVEL = 20;
/** Most characters of indentation. */
export const MOST_INDENTATION = 16_000_000;

/** The way in which a value is divided. */
interface Division {
  /** Values of at most this size are written in one piece. */
  readonly piece: number;
  /** Depth below which a value is written in one piece. */
  readonly levels: number;
  readonly write: (value: JsonValue, level: number) => string;
}

const INDENTED: Division = { piece: PIECE, levels: MAX_LEVEL, write: indented };

/** Writes a string unchanged, any other value as indented JSON; in pieces, so that it does not
 * block the event loop. Levels whose indentation would be too much stand on one line. */
export async function storedText(value: JsonValue): Promise<string> {
  if (typeof value === "string") return value;
  const pieces: string[] = [];
  const turn = createTurns();
  const levels = await levelsIndented(value);
  const division = levels === Infinity ? INDENTED : { piece: 0, levels, write: compact };
  for (const piece of piecesOf(value, 0, division)) {
    pieces.push(piece);
    await turn();
  }
  return pieces.join("");
}

/** Levels that can be indented without too much text for it; all of them in most values. */
async function levelsIndented(value: JsonValue): Promise<number> {
  let left = MOST_INDENTATION;
  const level = (await indentationByLevel(value)).findIndex((size) => (left -= size) < 0);
  return level < 0 ? Infinity : Math.max(1, level);
}

/** Generates the text of `JSON.stringify(value, null, 2)` in pieces. */
function* piecesOf(value: JsonValue, level: number, division: Division): Generator<string> {
  const { piece, levels, write } = division;
  const isLarge = level < levels && leastSize(value, piece) > piece;
  if (typeof value !== "object" || value === null || !isLarge) {
    yield write(value, level);
    return;
  }
  const isList = Array.isArray(value);
  yield isList ? "[" : "{";
  let joint = "";
  for (const part of partsOf(value, piece)) {
    yield joint;
    joint = ",";
    if (part.kind === "few") yield unwrapped(write(part.value, level));
    else {
      yield `\n${"  ".repeat(level + 1)}${isList ? "" : `${JSON.stringify(part.key)}: `}`;
      yield* piecesOf(part.value, level + 1, division);
    }
  }
  yield `\n${"  ".repeat(level)}${isList ? "]" : "}"}`;
}

export type Part =
  /** Some neighbours, in a list or an object of their own. */
  | { readonly kind: "few"; readonly value: JsonValue }
  | { readonly kind: "large"; readonly key: string; readonly value: JsonValue };

/** The parts of a list or an object: those larger than `piece` alone, small ones together. */
export function* partsOf(value: JsonValue & object, piece = PIECE): Generator<Part> {
  const isList = Array.isArray(value);
  let few: Entry[] = [];
  let size = 0;
  for (const entry of entriesOf(value)) {
    const [key, item] = entry;
    const least = leastSize(item, piece) + 10;
    if (few.length > 0 && size + least > piece) {
      yield together(few, isList);
      few = [];
      size = 0;
    }
    if (least > piece) yield { kind: "large", key: String(key), value: item };
    else {
      few.push(entry);
      size += least;
    }
  }
  if (few.length > 0) yield together(few, isList);
}

type Entry = [key: string | number, value: JsonValue];

/** Generates the entries one at a time: those of a million keys at once take seconds. */
function* entriesOf(value: JsonValue & object): Generator<Entry> {
  if (Array.isArray(value)) return yield* value.entries();
  for (const key of keysOf(value)) {
    const item = (value as Record<string, JsonValue | undefined>)[key];
    if (item !== undefined) yield [key, item];
  }
}

function together(entries: readonly Entry[], isList: boolean): Part {
  const value = isList ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  return { kind: "few", value };
}

function compact(value: JsonValue): string {
  return typeof value === "string" ? JSON.stringify(value) : serialiseResult(value, "json");
}

/** Writes a value as indented JSON. Strings in it hold no line breaks: every break is the
 * writer's. */
function indented(value: JsonValue, level: number): string {
  const text = typeof value === "string" ? JSON.stringify(value) : serialiseResult(value, "json_h");
  return level === 0 ? text : text.replaceAll("\n", `\n${"  ".repeat(level)}`);
}

/** Without the bracket before the first line end and the last line end with its bracket. */
function unwrapped(text: string): string {
  return text.slice(1, text.lastIndexOf("\n"));
}
