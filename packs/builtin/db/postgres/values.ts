/** Values of PostgreSQL as JSON. */

import type { JsonValue } from "#base";

/** Types that stay text, because a JavaScript value would lose something: numeric, dates, times,
 * intervals. */
const AS_TEXT = new Set([1700, 1082, 1083, 1114, 1184, 1266, 1186, 20]);
/** Arrays of these types, read as arrays of texts. */
const ARRAYS_AS_TEXT = new Set([1231, 1182, 1183, 1115, 1185, 1270, 1187, 1016]);
const INT8 = 20;
const TEXT_ARRAY = 1009;

export type Parser = (text: string) => unknown;

/** Parser for a type; `libraryParser` returns the driver's own. */
export function parserOf(type: number, libraryParser: (type: number) => Parser): Parser {
  if (type === INT8) return wholeNumber;
  if (AS_TEXT.has(type)) return (text) => text;
  return libraryParser(ARRAYS_AS_TEXT.has(type) ? TEXT_ARRAY : type);
}

/** Converts a value of the database to JSON. Bytes become `{"base64": "…"}`, NaN and Infinity their
 * names. */
export function outward(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return { base64: value.toBase64() };
  if (Array.isArray(value)) return value.map(outward);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object") return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, outward(item)]));
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

function wholeNumber(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}
