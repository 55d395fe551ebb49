/** Values of PostgreSQL as JSON. */

import { createTurns, type JsonValue, keysOf, parseLarge, TooDeep, type Turn } from "#base";
import { PackError } from "../../../errors.ts";

/** Types that stay text, because a JavaScript value would lose something: numeric, dates, times,
 * intervals. */
const AS_TEXT = new Set([1700, 1082, 1083, 1114, 1184, 1266, 1186]);
/** Arrays of these types, read as arrays of texts. */
const ARRAYS_AS_TEXT = new Set([1231, 1182, 1183, 1115, 1185, 1270, 1187, 1016]);
const JSONS = new Set([114, 3802]);
const JSON_ARRAYS = new Set([199, 3807]);
const BYTES = 17;
const BYTES_ARRAY = 1001;
/** A byte in the old format that is not written as it is. */
const ESCAPE = /\\(?:\\|([0-3][0-7]{2}))/y;
const INT8 = 20;
const TEXT = 25;
const TEXT_ARRAY = 1009;

/** Characters of a value that the driver parses in one go. */
const MOST_AT_ONCE = 2 ** 20;
/** Characters of hexadecimal bytes that are converted at once: whole groups of three bytes. */
const HEX_PIECE = 6 * 2 ** 16;
/** Items read before other work may run. */
const YIELD_AFTER = 1_000;

export type Parser = (text: string) => unknown;

export interface Column {
  readonly name: string;
  /** Number of the type. */
  readonly type: number;
}

/** Converts the text of a value to JSON. */
export type Reader = (text: string, column: Column) => Promise<JsonValue>;

/** Makes a reader, which lets other work run; `parserOf` returns the driver's own parser of a type. Bytes
 * become `{"base64": "…"}`, NaN and Infinity their names. The reader throws `PackError`. */
export function createReader(parserOf: (type: number) => Parser): Reader {
  const turn = createTurns();
  return async (text, column) => {
    await turn();
    const { type } = column;
    if (JSONS.has(type)) return await jsonOf(text, { column, turn });
    if (type === BYTES && text.startsWith("\\x")) return { base64: await base64Of(text, turn) };
    if (AS_TEXT.has(type) || parserOf(type) === parserOf(TEXT)) return text;
    if (text.length > MOST_AT_ONCE) throw unread(column, "its text is longer than 1 MB");
    if (type === INT8) return wholeNumber(text);
    if (type === BYTES) return bytesOf(text, column);
    if (type === BYTES_ARRAY) return byteItems(parserOf(TEXT_ARRAY)(text), column);
    if (JSON_ARRAYS.has(type)) {
      return await jsonItems(parserOf(TEXT_ARRAY)(text), { column, turn });
    }
    return plain(parserOf(ARRAYS_AS_TEXT.has(type) ? TEXT_ARRAY : type)(text));
  };
}

/** Characters that a value needs at least, in JSON; those of JSON are counted as they came. */
export function leastSize(text: string, { type }: Pick<Column, "type">): number {
  // A byte takes 2 characters as text, 4/3 in base64.
  return type === BYTES ? text.length * 2 / 3 : text.length;
}

/** Converts a parameter. A list becomes an array of PostgreSQL, an object becomes JSON. */
export function inward(value: JsonValue): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inward(item as JsonValue));
  const bytes = "base64" in value ? value.base64 : undefined;
  if (typeof bytes === "string" && Object.keys(value).length === 1) {
    return `\\x${Uint8Array.fromBase64(bytes).toHex()}`;
  }
  return JSON.stringify(value);
}

interface JsonOptions {
  readonly column: Column;
  readonly turn: Turn;
}

async function jsonOf(text: string, { column, turn }: JsonOptions): Promise<JsonValue> {
  try {
    return await nameInfinities(await parseLarge(text), turn);
  } catch (error) {
    if (error instanceof TooDeep) throw unread(column, "it is nested too deep");
    throw error;
  }
}

async function jsonItems(value: unknown, options: JsonOptions): Promise<JsonValue> {
  if (typeof value === "string") return await jsonOf(value, options);
  if (!Array.isArray(value)) return null;
  const items: JsonValue[] = [];
  for (const item of value) {
    items.push(await jsonItems(item, options));
    await options.turn();
  }
  return items;
}

/** Replaces numbers beyond the range of JavaScript by their names, in place. */
async function nameInfinities(value: unknown, turn: Turn): Promise<JsonValue> {
  const holder: Record<PropertyKey, unknown> = { value };
  const open = [holder];
  let count = 0;
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    for (const key of Array.isArray(item) ? item.keys() : keysOf(item)) {
      const field = item[key];
      if (typeof field === "number") item[key] = plain(field);
      else if (typeof field === "object" && field !== null) {
        open.push(field as Record<PropertyKey, unknown>);
      }
      if (++count % YIELD_AFTER === 0) await turn();
    }
  }
  return holder.value as JsonValue;
}

async function base64Of(text: string, turn: Turn): Promise<string> {
  let base64 = "";
  for (let at = 2; at < text.length; at += HEX_PIECE) {
    base64 += Uint8Array.fromHex(text.slice(at, at + HEX_PIECE)).toBase64();
    await turn();
  }
  return base64;
}

/** Reads the old format of bytes, on which the driver may go on for ever. */
function bytesOf(text: string, column: Column): JsonValue {
  const bytes = new Uint8Array(text.length);
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at);
    if (text[at] === "\\") {
      ESCAPE.lastIndex = at;
      const [escape, octal] = ESCAPE.exec(text) ?? [];
      if (escape === undefined) throw unread(column, "its bytes are malformed");
      if (octal !== undefined) code = parseInt(octal, 8);
      at += escape.length - 1;
    }
    bytes[size++] = code;
  }
  return { base64: bytes.subarray(0, size).toBase64() };
}

function byteItems(value: unknown, column: Column): JsonValue {
  if (Array.isArray(value)) return value.map((item) => byteItems(item, column));
  if (typeof value !== "string") return null;
  if (!value.startsWith("\\x")) return bytesOf(value, column);
  return { base64: Uint8Array.fromHex(value.slice(2)).toBase64() };
}

function plain(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object") return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
}

function wholeNumber(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

function unread({ name }: Column, state: string): PackError {
  const way = "select less of it, or cast it to text";
  return new PackError("too_large", `Cannot read the column "${name}": ${state}: ${way}`);
}
