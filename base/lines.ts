/** Splits a byte stream into lines, with a bound on the length of one. */

import { ByteBuffer } from "./byte_buffer.ts";
import { joinBytes } from "./join_bytes.ts";
import type { ChunkReader } from "./chunk_reader.ts";

/** A line grew past the bound. */
export class LineTooLong extends Error {
  override readonly name = "LineTooLong";
}

/** Beginning and end of a line that is not kept. */
export interface LineEnds {
  readonly first: string;
  readonly last: string;
}

/** Bytes of an end. */
const END_BYTES = 1_024;

/** Yields each line as text, without its line break; throws `LineTooLong`, or passes what is left of a
 * line that is too long to `onLong`, and goes on. Cancelling the reader ends it. */
export async function* readLines(
  reader: ChunkReader,
  maxBytes: number,
  onLong?: (ends: LineEnds) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let line = new Line(maxBytes, onLong !== undefined);
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      if (line.length === 0 && piece.length <= maxBytes) {
        yield decoder.decode(piece);
        continue;
      }
      line.add(piece);
      if (line.isLong) onLong?.(line.ends());
      else yield decoder.decode(line.bytes());
      line = new Line(maxBytes, onLong !== undefined);
    }
    if (start < chunk.length) line.add(chunk.subarray(start));
  }
  if (line.isLong) onLong?.(line.ends());
  else if (line.length > 0) yield decoder.decode(line.bytes());
}

/** One line while it comes. */
class Line {
  length = 0;
  #held = new ByteBuffer();
  #last: Uint8Array = new Uint8Array();
  readonly #maxBytes: number;
  readonly #isCut: boolean;

  constructor(maxBytes: number, isCut: boolean) {
    this.#maxBytes = maxBytes;
    this.#isCut = isCut;
  }

  get isLong(): boolean {
    return this.#isCut && this.length > this.#maxBytes;
  }

  add(bytes: Uint8Array): void {
    this.length += bytes.length;
    if (this.length <= this.#maxBytes) {
      this.#held.add(bytes);
      return;
    }
    if (!this.#isCut) {
      throw new LineTooLong(`Cannot read a line: more than ${this.#maxBytes} bytes`);
    }
    if (this.#last.length === 0) {
      const whole = this.#held.bytes();
      this.#held = new ByteBuffer();
      this.#held.add(whole.subarray(0, END_BYTES));
      this.#last = whole.slice(-END_BYTES);
    }
    this.#last = joinBytes([this.#last, bytes.slice(-END_BYTES)]).slice(-END_BYTES);
  }

  bytes(): Uint8Array {
    return this.#held.bytes();
  }

  ends(): LineEnds {
    const decoder = new TextDecoder();
    return { first: decoder.decode(this.bytes()), last: decoder.decode(this.#last) };
  }
}
