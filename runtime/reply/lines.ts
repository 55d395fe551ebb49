/** Texts as lines, whatever their size. */

import { Buffer } from "node:buffer";

/** Bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** Text of bytes in UTF-8, as it was written. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Counts the lines of a text; a line end at its end begins no further line. */
export function countLines(text: string): number {
  let count = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** The lines of a text, one at a time, without their ends. */
export function* eachLine(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    yield text.slice(start, text[end - 1] === "\r" && end > start ? end - 1 : end);
    start = end + 1;
  }
  if (start < text.length) yield text.slice(start);
}

/** The start of a text in at most `bytes` bytes of UTF-8, with `…` where something is left out. */
export function clipText(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || byteLength(text) <= bytes) return text;
  let cut = text.slice(0, Math.max(0, bytes - 3));
  while (byteLength(cut) > bytes - 3 && cut !== "") {
    cut = cut.slice(0, cut.length - Math.max(1, (byteLength(cut) - (bytes - 3)) >> 2));
  }
  return bytes < 3 ? "" : `${cut.toWellFormed().replace(/\ufffd$/, "")}…`;
}
