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
      const grown = new Uint8Array(Math.max(FIRST_BYTES, size, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#size);
    this.#size = size;
  }

  /** All bytes, until the next are added. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#size);
  }
}
