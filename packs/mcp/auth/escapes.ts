/** Characters as writers of JSON and of addresses may escape them, read from the bytes of a text. */

import { Buffer } from "node:buffer";

export const BACKSLASH = "\\".charCodeAt(0);
export const PERCENT = "%".charCodeAt(0);
const SMALL_U = "u".charCodeAt(0);
/** Most backslashes of one escape: those of eight levels of JSON within JSON. The number is even,
 * so that leaving out so many does not change how the next character is escaped. */
const MOST_BACKSLASHES = 256;

export interface Escape {
  /** Bytes that it stands for. */
  readonly units: readonly number[];
  /** Offset behind it. */
  readonly end: number;
}

/** Reads the escape that begins at an offset; "open" where it may go on behind the bytes. Backslashes
 * before a letter or a digit stand for one. */
export function readEscape(bytes: Uint8Array, at: number): Escape | "open" | undefined {
  if (bytes[at] === PERCENT) return readPercent(bytes, at);
  return bytes[at] === BACKSLASH ? readBackslashes(bytes, at) : undefined;
}

function readPercent(bytes: Uint8Array, at: number): Escape | "open" | undefined {
  const value = readHex(bytes, at + 1, 2);
  return typeof value === "number" ? { units: [value], end: at + 3 } : value;
}

function readBackslashes(bytes: Uint8Array, from: number): Escape | "open" {
  let at = from;
  while (bytes[at] === BACKSLASH && at - from < MOST_BACKSLASHES) at++;
  const next = bytes[at];
  if (next === undefined) return "open";
  if (next !== SMALL_U) {
    const isSymbol = next !== BACKSLASH && next < 0x80 && !isAlphanumeric(next);
    return isSymbol ? { units: [next], end: at + 1 } : { units: [BACKSLASH], end: at };
  }
  const value = readHex(bytes, at + 1, 4);
  if (value === "open") return "open";
  return value === undefined
    ? { units: [BACKSLASH], end: at }
    : { units: bytesOf(value), end: at + 5 };
}

function bytesOf(code: number): readonly number[] {
  return code < 0x80 ? [code] : [...Buffer.from(String.fromCharCode(code))];
}

/** Value of `digits` hexadecimal digits; undefined where another character is among them, "open"
 * where bytes are missing. */
function readHex(bytes: Uint8Array, from: number, digits: number): number | undefined | "open" {
  let value = 0;
  for (let at = from; at < from + digits; at++) {
    const byte = bytes[at];
    if (byte === undefined) return "open";
    const digit = digitOf(byte);
    if (digit === undefined) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

function digitOf(byte: number): number | undefined {
  if (isDecimal(byte)) return byte & 15;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}

function isAlphanumeric(byte: number): boolean {
  const letter = byte | 0x20;
  return isDecimal(byte) || letter >= 0x61 && letter <= 0x7a;
}

function isDecimal(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
