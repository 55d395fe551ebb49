/** Last part of the output of a process, for error messages. */

import type { ChunkReader } from "#base";

/** The last bytes of a stream. */
export class Tail {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Reads to the end. */
  async follow(reader: ChunkReader): Promise<void> {
    await reader.each((chunk) => {
      this.#text += this.#decoder.decode(chunk, { stream: true });
      if (this.#text.length > 2 * this.#maxBytes) this.#text = this.#text.slice(-this.#maxBytes);
    });
  }

  get text(): string {
    return this.#text.slice(-this.#maxBytes);
  }
}
