/** Writes to a child; what comes together goes together. */

import { joinBytes } from "./join_bytes.ts";

const encoder = new TextEncoder();
/** Bytes of one write. More in one piece would be copied as a whole, and go on when the child is
 * dead. */
const SLICE = 262_144;

interface Part {
  readonly bytes: Uint8Array;
  readonly written: PromiseWithResolvers<void>;
  /** Where what is not written yet begins. */
  at: number;
}

export class BatchWriter {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #parts: Part[] = [];
  #writing: Promise<void> | undefined;

  constructor(stream: WritableStream<Uint8Array>) {
    this.#writer = stream.getWriter();
  }

  /** Resolves when it was written; rejects when the child reads no more. A write wakes the child up,
   * which costs more than what is written: while one goes on, what comes next waits together. */
  write(part: string | Uint8Array): Promise<void> {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    const written = Promise.withResolvers<void>();
    this.#parts.push({ bytes, written, at: 0 });
    this.#writing ??= this.#writeAll();
    return written.promise;
  }

  /** Closes the stream after the last write. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#writer.close();
  }

  /** Gives the stream up, and what was not written. */
  abort(): Promise<void> {
    return this.#writer.abort();
  }

  /** Never rejects: a failure is told to those who wrote. */
  async #writeAll(): Promise<void> {
    try {
      // Parts that are written in one go, as a frame's head and its body, are taken together.
      await Promise.resolve();
      while (this.#parts.length > 0) {
        await this.#writer.write(this.#slice());
        this.#resolveWritten();
      }
    } catch (error) {
      for (const { written } of this.#parts.splice(0)) written.reject(error);
    } finally {
      this.#writing = undefined;
    }
  }

  #resolveWritten(): void {
    const open = this.#parts.findIndex(({ at, bytes }) => at < bytes.length);
    const count = open === -1 ? this.#parts.length : open;
    for (const { written } of this.#parts.splice(0, count)) written.resolve();
  }

  /** The next bytes, at most `SLICE`; the parts know that they are taken. */
  #slice(): Uint8Array {
    const pieces: Uint8Array[] = [];
    let room = SLICE;
    for (const part of this.#parts) {
      const piece = part.bytes.subarray(part.at, part.at + room);
      pieces.push(piece);
      part.at += piece.length;
      room -= piece.length;
      if (room === 0) break;
    }
    return joinBytes(pieces);
  }
}
