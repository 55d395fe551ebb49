/** Writes to a child. Parts that come together are written together. */

import { joinBytes } from "./join_bytes.ts";

const encoder = new TextEncoder();
/** Maximum bytes of one write. A larger piece would be copied as a whole, and its write would go on
 * after the death of the child. */
const SLICE = 262_144;

interface Part {
  readonly bytes: Uint8Array;
  readonly completion: PromiseWithResolvers<void>;
  /** Start of the bytes that are not written yet. */
  at: number;
}

export class BatchWriter {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #parts: Part[] = [];
  #writing: Promise<void> | undefined;

  constructor(stream: WritableStream<Uint8Array>) {
    this.#writer = stream.getWriter();
  }

  /** Resolves when the part was written; rejects when the child reads no more. Each write wakes the
   * child, which costs more than the bytes: parts that come during a write wait, and are written
   * together. */
  write(part: string | Uint8Array): Promise<void> {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    const completion = Promise.withResolvers<void>();
    this.#parts.push({ bytes, completion, at: 0 });
    this.#writing ??= this.#writeAll();
    return completion.promise;
  }

  /** Closes the stream after the last write. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#writer.close();
  }

  /** Aborts the stream; drops the parts that were not written. */
  abort(): Promise<void> {
    return this.#writer.abort();
  }

  /** Never rejects: a failure rejects the promises of the parts. */
  async #writeAll(): Promise<void> {
    try {
      // Parts that follow each other at once, as a frame's head and body, are written together.
      await Promise.resolve();
      while (this.#parts.length > 0) {
        await this.#writer.write(this.#slice());
        this.#completeParts();
      }
    } catch (error) {
      for (const { completion } of this.#parts.splice(0)) completion.reject(error);
    } finally {
      this.#writing = undefined;
    }
  }

  #completeParts(): void {
    const open = this.#parts.findIndex(({ at, bytes }) => at < bytes.length);
    const count = open === -1 ? this.#parts.length : open;
    for (const { completion } of this.#parts.splice(0, count)) completion.resolve();
  }

  /** Returns the next bytes, at most `SLICE`, and moves the parts past them. */
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
