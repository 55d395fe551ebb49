/** Reads large JSON in pieces, between which other work runs: twenty megabytes of empty lists take
 * seconds to parse. */

import { idle } from "./async.ts";
import { endOfText, isNestedOver, MOST_LEVELS, TooDeep } from "./nesting.ts";

/** Characters that are parsed at once. */
const PIECE = 32_768;
/** Characters that are searched at once. */
const SEARCHED = 262_144;
/** Longest time without a turn for other work, ms. */
const TURN_MS = 4;

const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Characters from which on a text is read in pieces. */
export const LARGE = 262_144;

/** Lists and objects that were read in pieces. For an object, its keys: the engine takes a second
 * to list a million of them. */
const READ = new WeakMap<object, readonly string[]>();

/** Returns true for a list or an object of a large text: it is written in pieces too. */
export function isLarge(value: unknown): boolean {
  return typeof value === "object" && value !== null && READ.has(value);
}

/** Keys of an object, as `Object.keys` gives them. */
export function keysOf(value: object): readonly string[] {
  const keys = READ.get(value);
  return keys === undefined || Array.isArray(value) ? Object.keys(value) : keys;
}

/** Error for a large text with more lists and objects than are allowed. */
export class TooManyParts extends Error {
  override readonly name = "TooManyParts";
}

/** Parses JSON as `JSON.parse` does. Throws `SyntaxError`, `TooDeep`, and `TooManyParts` for a large text
 * with more than `mostParts` lists and objects. */
export async function parseLarge(text: string, mostParts = Infinity): Promise<unknown> {
  if (text.length < LARGE) return parseWhole(text);
  const turn = createTurns();
  const ends = await findContainers(text, { turn, mostParts });
  const start = text.length - text.trimStart().length;
  const end = ends.get(start);
  // A long string, for example: not a long list or object.
  if (end === undefined) return JSON.parse(text);
  if (text.slice(end + 1).trim() !== "") throw new SyntaxError("Text behind the end of JSON");
  let value: unknown;
  for (const step of readContainer({ text, ends }, start)) {
    value = step.value;
    await turn();
  }
  return value;
}

function parseWhole(text: string): unknown {
  if (isNestedOver(text, MOST_LEVELS)) throw new TooDeep();
  return JSON.parse(text);
}

/** Lets other work run when enough time has passed. */
export type Turn = () => Promise<void> | undefined;

/** Makes a function that lets other work run when enough time has passed. It then rejects with the
 * signal's reason where the signal is aborted. */
export function createTurns(signal?: AbortSignal): Turn {
  let last = performance.now();
  return () => {
    if (performance.now() - last < TURN_MS) return undefined;
    return idle().then(() => {
      signal?.throwIfAborted();
      last = performance.now();
    });
  };
}

type Ends = ReadonlyMap<number, number>;

interface FindOptions {
  readonly turn: Turn;
  readonly mostParts: number;
}

/** Finds the lists and objects that are longer than a piece; maps the index of each start to that
 * of its end. Throws `TooDeep` and `TooManyParts`. */
async function findContainers(text: string, { turn, mostParts }: FindOptions): Promise<Ends> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let parts = 0;
  let next = SEARCHED;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (open.push(at) > MOST_LEVELS) throw new TooDeep();
      if (++parts > mostParts) throw new TooManyParts(`More than ${mostParts} lists and objects`);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      const start = open.pop();
      // The code of a closing bracket is two more than that of its opening one.
      if (start === undefined || text.charCodeAt(start) !== code - 2) throw unexpected();
      if (at - start > PIECE) ends.set(start, at);
    }
    if (at < next) continue;
    next = at + SEARCHED;
    await turn();
  }
  if (open.length > 0) throw unexpected();
  return ends;
}

interface LargeText {
  readonly text: string;
  readonly ends: Ends;
}

/** The value as far as it is read. */
interface Step {
  readonly value: unknown;
}

/** Reads a list or an object; after each piece other work may run. */
function* readContainer(source: LargeText, start: number): Generator<Step> {
  const { text, ends } = source;
  const target = createTarget(text, start);
  for (const part of partsOf(source, start)) {
    if (part.kind === "few") target.add(text.slice(part.from, part.to));
    else {
      let value: unknown;
      for (const step of readContainer(source, part.at)) {
        value = step.value;
        yield step;
      }
      target.set(text.slice(part.from, part.at), value);
      if (text.slice((ends.get(part.at) ?? 0) + 1, part.to).trim() !== "") throw unexpected();
    }
    yield target;
  }
  yield target;
}

type Part =
  /** Some neighbours. */
  | { readonly kind: "few"; readonly from: number; readonly to: number }
  /** A large list or object, with its key before it. */
  | { readonly kind: "large"; readonly from: number; readonly at: number; readonly to: number };

/** Divides what is between the brackets at its commas. */
function* partsOf({ text, ends }: LargeText, start: number): Generator<Part> {
  const end = ends.get(start) ?? text.length;
  let [from, comma, level] = [start + 1, start, 0];
  let large: number | undefined;
  for (let at = start + 1; at <= end; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (level === 0 && ends.has(at)) {
      if (large !== undefined) throw unexpected();
      if (comma >= from) yield { kind: "few", from, to: comma };
      [large, from] = [at, comma + 1];
      at = ends.get(at) ?? at;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) level++;
    else if (at < end && (code === CLOSE_LIST || code === CLOSE_OBJECT)) level--;
    else if (level === 0 && (code === COMMA || at === end)) {
      if (large !== undefined) yield { kind: "large", from, at: large, to: at };
      else if (at - from > PIECE || at === end) yield { kind: "few", from, to: at };
      if (large !== undefined || at - from > PIECE) from = at + 1;
      [comma, large] = [at, undefined];
    }
  }
}

interface Target extends Step {
  readonly value: object;
  /** Adds the items or fields of a text. */
  add(text: string): void;
  /** Adds one, whose key the text before it holds. */
  set(before: string, value: unknown): void;
}

function createTarget(text: string, start: number): Target {
  const end = text.charCodeAt(start) === OPEN_LIST ? "]" : "}";
  if (end === "]") {
    const value: unknown[] = [];
    READ.set(value, []);
    return {
      value,
      add(items) {
        for (const item of readPart(items, ["[", "]"]) as unknown[]) value.push(item);
      },
      set(before, item) {
        if (before.trim() !== "") throw unexpected();
        value.push(item);
      },
    };
  }
  const value: Record<string, unknown> = {};
  const keys: string[] = [];
  READ.set(value, keys);
  const setField = (key: string, field: unknown) => {
    if (!Object.hasOwn(value, key)) keys.push(key);
    setOwn(value, key, field);
  };
  return {
    value,
    add(fields) {
      const read = readPart(fields, ["{", "}"]) as Record<string, unknown>;
      for (const key of Object.keys(read)) setField(key, read[key]);
    },
    set(before, item) {
      const [key = ""] = Object.keys(JSON.parse(`{${before}null}`));
      setField(key, item);
    },
  };
}

function readPart(text: string, [open, close]: readonly [string, string]): unknown {
  // `[1,]` and `[,1]` are no JSON.
  if (text.trim() === "") throw unexpected();
  return JSON.parse(`${open}${text}${close}`);
}

function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else {
    const field = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(target, key, field);
  }
}

function unexpected(): SyntaxError {
  return new SyntaxError("Unexpected character in JSON");
}
