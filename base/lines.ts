/** Splits a byte stream into lines, with a bound on the length of one. */

import { joinBytes } from "./join_bytes.ts";
import type { ChunkReader } from "./chunk_reader.ts";

/** A line grew past the bound. */
export class LineTooLong extends Error {
  override readonly name = "LineTooLong";
}

/** Yields each line as text, without its line break; throws `LineTooLong`. Cancelling the reader ends
 * it. */
export async function* readLines(reader: ChunkReader, maxBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let lineBytes = 0;
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      yield decoder.decode(joinBytes(parts));
      parts = [];
      lineBytes = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    parts.push(chunk.slice(start));
    lineBytes += chunk.length - start;
    if (lineBytes > maxBytes) {
      throw new LineTooLong(`Cannot read a line: more than ${maxBytes} bytes`);
    }
  }
  if (lineBytes > 0) yield decoder.decode(joinBytes(parts));
}
