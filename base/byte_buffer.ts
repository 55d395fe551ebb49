/** Collects pieces of bytes in one piece of memory. Kept apart, pieces of one byte each would take
 * hundreds of times their size. */

const FIRST_BYTES = 1024;

export class ByteBuffer {
  #bytes = new Uint8Array();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Copies `piece` to the end. */
  add(piece: Uint8Array): void {
    const size = this.#size + piece.length;
    if (size > this.#bytes.length) {
      const length = Math.max(FIRST_BYTES, size, 2 * this.#bytes.length);
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(length));
    }
    this.#bytes.set(piece, this.#size);
    this.#size = size;
  }

  /** Gives the bytes away, in memory of their size. The buffer is empty then. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#bytes.buffer.transfer(this.#size));
    this.#bytes = new Uint8Array();
    this.#size = 0;
    return bytes;
  }

  /** All bytes, until the next are added. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#size);
  }
}
