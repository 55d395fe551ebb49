/** Decodes and encodes the text of files. */

import { Buffer } from "node:buffer";
import { markedEncoding } from "../kit/text_mark.ts";

export const ENCODINGS = ["auto", "utf-8", "utf-16le", "utf-16be", "latin1"] as const;
export type Encoding = Exclude<(typeof ENCODINGS)[number], "auto">;

export interface FileText {
  readonly text: string;
  readonly encoding: Encoding;
  /** True if the file begins with a byte order mark. */
  readonly mark: boolean;
}

/** Bytes that tell text from binary data. */
const SAMPLE = 8_192;

/** Decodes a file. Returns a phrase if it is not text. */
export function decodeText(
  bytes: Uint8Array,
  requested: (typeof ENCODINGS)[number],
): FileText | string {
  const marked = markedEncoding(bytes);
  const encoding = requested !== "auto" ? requested : marked ?? guess(bytes);
  if (encoding === undefined) return "it is binary, not text";
  const mark = marked === encoding;
  if (encoding === "latin1") {
    const { buffer, byteOffset, length } = bytes;
    return { text: Buffer.from(buffer, byteOffset, length).toString("latin1"), encoding, mark };
  }
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding, mark };
  } catch {
    const way = requested === "auto" ? ': read it with encoding="latin1"' : "";
    return `it is not ${encoding} text${way}`;
  }
}

/** Encodes a text. Returns a phrase if the encoding lacks some of its characters. */
export function encodeText({ text, encoding, mark }: FileText): Uint8Array<ArrayBuffer> | string {
  const marked = mark ? `\ufeff${text}` : text;
  if (encoding === "utf-8") return new TextEncoder().encode(marked);
  if (encoding === "latin1") {
    if (/[^\0-\xff]/.test(text)) return "the text has characters that latin1 lacks";
    return new Uint8Array(Buffer.from(text, "latin1"));
  }
  const bytes = new Uint8Array(marked.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < marked.length; at++) {
    view.setUint16(at * 2, marked.charCodeAt(at), encoding === "utf-16le");
  }
  return bytes;
}

/** Bytes of a well-formed text in an encoding, without a mark. */
export function encodedSize(text: string, encoding: Encoding): number {
  if (encoding === "utf-8") return Buffer.byteLength(text);
  return encoding === "latin1" ? text.length : text.length * 2;
}

/** Guesses the encoding: NUL bytes mean binary data, or UTF-16 if they are in every other place. */
function guess(bytes: Uint8Array): Encoding | undefined {
  const sample = bytes.subarray(0, SAMPLE);
  if (!sample.includes(0)) return "utf-8";
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  const most = sample.length / 2 * 0.7;
  if (odd > most && even === 0) return "utf-16le";
  return even > most && odd === 0 ? "utf-16be" : undefined;
}
