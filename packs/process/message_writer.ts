/** Writes messages to a child, one JSON value a line; those that come together go together. */

export class MessageWriter {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #encoder = new TextEncoder();
  #lines: string[] = [];
  #writing: Promise<void> | undefined;

  constructor(stream: WritableStream<Uint8Array>) {
    this.#writer = stream.getWriter();
  }

  /** Resolves when the message was written; rejects when the child reads no more. A write wakes the
   * child up, which costs more than what is written: while one goes on, the next messages wait for
   * each other. */
  write(message: unknown): Promise<void> {
    this.#lines.push(`${JSON.stringify(message)}\n`);
    return this.#writing ??= this.#writeAll();
  }

  /** Closes the stream after the last message. */
  async close(): Promise<void> {
    await this.#writing?.catch(() => {}); // told to those who wrote
    await this.#writer.close();
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#lines.length > 0) {
        const text = this.#lines.join("");
        this.#lines = [];
        await this.#writer.write(this.#encoder.encode(text));
      }
    } finally {
      this.#writing = undefined;
    }
  }
}
