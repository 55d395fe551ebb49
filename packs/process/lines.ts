/** Splits a byte stream into lines, with a bound on the length of one. */

/** A line grew past the bound. */
export class LineTooLong extends Error {
  override readonly name = "LineTooLong";
}

/** Where the bytes of a pipe are read; cancelling it ends the loops below. */
export type ByteReader = ReadableStreamDefaultReader<Uint8Array>;

/** Yields each line as text, without its line break; throws `LineTooLong`. */
export async function* readLines(reader: ByteReader, maxBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of chunks(reader)) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      yield decoder.decode(join(parts));
      parts = [];
      held = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    parts.push(chunk.subarray(start));
    held += chunk.length - start;
    if (held > maxBytes) throw new LineTooLong(`Cannot read a line: more than ${maxBytes} bytes`);
  }
  if (held > 0) yield decoder.decode(join(parts));
}

async function* chunks(reader: ByteReader): AsyncGenerator<Uint8Array> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const [first, ...others] = parts;
  if (first && others.length === 0) return first;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** The last bytes of a stream, kept for error messages. */
export class Tail {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Reads to the end. */
  async follow(reader: ByteReader): Promise<void> {
    for await (const chunk of chunks(reader)) {
      this.#text += this.#decoder.decode(chunk, { stream: true });
      if (this.#text.length > 2 * this.#maxBytes) this.#text = this.#text.slice(-this.#maxBytes);
    }
  }

  get text(): string {
    return this.#text.slice(-this.#maxBytes);
  }
}
