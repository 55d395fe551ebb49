/** Fields of git's answers as they are: names need be no UTF-8, and git goes on with their bytes. */

import { Buffer } from "node:buffer";
import { exactText } from "#base";

/** Characters below 256, one for each byte. What is ASCII stands in it as it is. */
export type ByteText = string;

export function byteText(bytes: Uint8Array): ByteText {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

/** Fields of an answer that ends each with a null character. */
export function fieldsOf(bytes: Uint8Array): ByteText[] {
  return byteText(bytes).split("\0").slice(0, -1);
}

/** Text by which something may be decided; undefined where the bytes are no UTF-8. */
export function exactOf(field: ByteText): string | undefined {
  return exactText(Buffer.from(field, "latin1"));
}

/** Text for people. */
export function shownOf(field: ByteText): string {
  return Buffer.from(field, "latin1").toString("utf8");
}

/** Pattern of git for a path: each byte that is no ASCII matches any other such byte, as no argument can
 * hold it. */
export function patternOf(field: ByteText): string {
  return field.replace(/[*?[\\]/g, "\\$&").replace(/[\x80-\xff]/g, "[!\x01-\x7f]");
}
