/** Reads the text of files through one buffer, which is twice as fast as a buffer per file. */

import { attempt } from "#base";
import { type Marked, markedEncoding } from "../kit/text_mark.ts";

const FIRST_BYTES = 1024 * 1024;

export type TextReader = (path: string) => string | undefined;

/** Makes the reader. It returns undefined for files that are binary, too large or unreadable. */
export function createTextReader(maxBytes: number): TextReader {
  let buffer = new Uint8Array(Math.min(FIRST_BYTES, maxBytes + 1));
  const decoders: Readonly<Record<Marked, TextDecoder>> = {
    "utf-8": new TextDecoder(),
    "utf-16le": new TextDecoder("utf-16le"),
    "utf-16be": new TextDecoder("utf-16be"),
  };

  function bytesOf(path: string): Uint8Array | undefined {
    using file = Deno.openSync(path);
    let filled = 0;
    for (;;) {
      const count = file.readSync(buffer.subarray(filled));
      if (!count) return buffer.subarray(0, filled);
      filled += count;
      if (filled < buffer.length) continue;
      if (filled > maxBytes || file.statSync().size > maxBytes) return undefined;
      const larger = new Uint8Array(Math.min(buffer.length * 4, maxBytes + 1));
      larger.set(buffer);
      buffer = larger;
    }
  }

  return (path) => {
    // The file is gone, or this user may not read it.
    const bytes = attempt(() => bytesOf(path));
    if (!bytes) return undefined;
    const encoding = markedEncoding(bytes) ?? "utf-8";
    if (encoding === "utf-8" && bytes.includes(0)) return undefined;
    return decoders[encoding].decode(bytes);
  };
}
