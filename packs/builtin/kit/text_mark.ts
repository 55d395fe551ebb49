/** Byte order marks. */

export type Marked = "utf-8" | "utf-16le" | "utf-16be";

/** Encoding that a byte order mark at the start names, or undefined without a mark. */
export function markedEncoding([a, b, c]: Uint8Array): Marked | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xff && b === 0xfe ? "utf-16le" : undefined;
}
