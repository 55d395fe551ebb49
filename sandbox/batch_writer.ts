/** Writes to a child; what comes together goes together. */

import { joinBytes } from "./child/bytes.ts";

const encoder = new TextEncoder();

export class BatchWriter {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #parts: Uint8Array[] = [];
  #writing: Promise<void> | undefined;

  constructor(stream: WritableStream<Uint8Array>) {
    this.#writer = stream.getWriter();
  }

  /** Resolves when it was written; rejects when the child reads no more. A write wakes the child up,
   * which costs more than what is written: while one goes on, what comes next waits together. */
  write(part: string | Uint8Array): Promise<void> {
    this.#parts.push(typeof part === "string" ? encoder.encode(part) : part);
    return this.#writing ??= this.#writeAll();
  }

  /** Closes the stream after the last write. */
  async close(): Promise<void> {
    await this.#writing?.catch(() => {}); // told to those who wrote
    await this.#writer.close();
  }

  /** Gives the stream up, and what was not written. */
  abort(): Promise<void> {
    return this.#writer.abort();
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#parts.length > 0) {
        const bytes = joinBytes(this.#parts);
        this.#parts = [];
        await this.#writer.write(bytes);
      }
    } finally {
      this.#writing = undefined;
    }
  }
}
