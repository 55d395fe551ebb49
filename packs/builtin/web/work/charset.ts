/** Decodes pages by a byte order mark, the header or the page's own declaration (HTML §13.2.3). */

import { attempt } from "#base";
import { markedEncoding } from "../../kit/text_mark.ts";

/** Bytes at the start of a page that may declare its charset. */
const PRESCAN = 4096;

/** Decodes a page. Invalid bytes become U+FFFD. */
export function decode(bytes: Uint8Array, contentType: string): string {
  const labels = [markedEncoding(bytes), labelIn(contentType), declared(bytes)];
  for (const label of labels) {
    const decoder = decoderOf(label);
    if (decoder) return decoder.decode(bytes);
  }
  return new TextDecoder().decode(bytes);
}

/** True for bytes that are text in no charset. */
export function isBinary(bytes: Uint8Array): boolean {
  return markedEncoding(bytes) === undefined && bytes.subarray(0, 8192).includes(0);
}

function labelIn(text: string): string | undefined {
  return /charset\s*=\s*["']?(?<label>[\w:.-]+)/i.exec(text)?.groups?.label;
}

function declared(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, PRESCAN));
  const xml = /^\s*<\?xml[^>]*encoding\s*=\s*["'](?<label>[\w.-]+)/i.exec(start)?.groups?.label;
  if (xml !== undefined) return xml;
  const meta = start.match(/<meta\b[^>]*>/gi)?.map(labelIn).find((label) => label !== undefined);
  // A page that declares UTF-16 in ASCII bytes is not UTF-16.
  return meta?.toLowerCase().startsWith("utf-16") ? "utf-8" : meta;
}

function decoderOf(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  // An unknown label is ignored.
  return attempt(() => new TextDecoder(label));
}
