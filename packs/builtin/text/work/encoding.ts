/** Digests, encodings, escapes and Unicode forms of texts. */

import { Buffer } from "node:buffer";
import { createHash, createHmac } from "node:crypto";
import { decodeHTML, escapeUTF8 } from "entities";
import { exactText } from "#base";
import type { FileInput } from "../../kit/files.ts";
import { readPieces } from "../../kit/read_pieces.ts";
import { JobRefused } from "../../../jobs/protocol.ts";

export interface HashInput {
  readonly source: string | FileInput;
  readonly algorithm: string;
  readonly encoding: "hex" | "base64" | "base64url";
  /** Key for an HMAC. */
  readonly key: string | undefined;
}

/** Digest of a text, or of the bytes of a file. */
export function hash({ source, algorithm, encoding, key }: HashInput): string {
  const digest = key === undefined ? createHash(algorithm) : createHmac(algorithm, key);
  const pieces = typeof source === "string" ? [source] : readPieces(source);
  for (const piece of pieces) digest.update(piece);
  return digest.digest(encoding);
}

const ENCODE = {
  base64: (text: string) => Buffer.from(text, "utf8").toString("base64"),
  base64url: (text: string) => Buffer.from(text, "utf8").toString("base64url"),
  hex: (text: string) => Buffer.from(text, "utf8").toString("hex"),
  url: (text: string) => encodeURIComponent(text.toWellFormed()),
  form: (text: string) => new URLSearchParams({ t: text }).toString().slice(2),
  html: escapeUTF8,
  json: (text: string) => JSON.stringify(text),
  unicode: (text: string) =>
    text.replace(
      /[^\x20-\x7e]|\\/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  nfc: (text: string) => text.normalize("NFC"),
  nfd: (text: string) => text.normalize("NFD"),
  nfkc: (text: string) => text.normalize("NFKC"),
  nfkd: (text: string) => text.normalize("NFKD"),
} as const;

/** Encodes or escapes a text. */
export function encode(
  { text, to }: { readonly text: string; readonly to: keyof typeof ENCODE },
): string {
  return ENCODE[to](text);
}

const DECODE = {
  base64: (text: string) => asText(base64(text.replaceAll(/\s/g, ""))),
  base64url: (text: string) => asText(base64(text.replaceAll(/\s/g, ""))),
  hex: (text: string) => asText(hex(text.replaceAll(/\s/g, ""))),
  url: (text: string) => percent(text),
  form: (text: string) => percent(text.replaceAll("+", " ")),
  html: (text: string) => decodeHTML(text),
  json: jsonText,
  unicode: (text: string) =>
    text.replace(
      /\\u(?:\{(?<long>[0-9a-f]{1,6})\}|(?<short>[0-9a-f]{4}))/gi,
      (all, long, short) => {
        const code = Number.parseInt(long ?? short, 16);
        if (code > 0x10ffff) throw new JobRefused(`"${all}" is not a character`);
        return long === undefined ? String.fromCharCode(code) : String.fromCodePoint(code);
      },
    ),
} as const;

/** Decodes a text. Throws `JobRefused`. */
export function decode(
  { text, from }: { readonly text: string; readonly from: keyof typeof DECODE },
): string {
  return DECODE[from](text);
}

function base64(text: string): Uint8Array {
  const plain = text.replaceAll("-", "+").replaceAll("_", "/").replace(/={0,2}$/, "");
  if (!/^[A-Za-z0-9+/]*$/.test(plain) || plain.length % 4 === 1) {
    throw new JobRefused("it is not base64");
  }
  return Buffer.from(plain, "base64");
}

function hex(text: string): Uint8Array {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) {
    throw new JobRefused("it is not hexadecimal: two of 0-9 and a-f for every byte");
  }
  return Buffer.from(text, "hex");
}

function percent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new JobRefused('a "%" in it does not begin an escape of UTF-8: write "%25" for it');
  }
}

function jsonText(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string") return value;
  } catch {
    // Refused below, together with JSON that is not a string.
  }
  throw new JobRefused('it is not a JSON string in quotes: for other JSON use "data.parse"');
}

function asText(bytes: Uint8Array): string {
  const text = exactText(bytes);
  if (text !== undefined) return text;
  throw new JobRefused(`its ${bytes.length} bytes are not UTF-8 text`);
}
