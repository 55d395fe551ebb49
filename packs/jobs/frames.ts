/** Messages over a pipe: JSON, and bytes that JSON would have to escape. */

export interface Frame {
  readonly head: unknown;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A pipe: the next bytes, valid until the next call; undefined at the end. */
export interface Pipe {
  read(): Promise<Uint8Array | undefined> | Uint8Array | undefined;
}

/** Bytes of the two lengths that a message begins with. */
const LENGTHS = 8;
/** Bytes of the longer part of a message, at most. */
const MOST_BYTES = 2 ** 29;

/** The pieces of a message, in the order in which they are written. */
export function toFrame(
  head: unknown,
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(),
): readonly Uint8Array<ArrayBuffer>[] {
  const json = new TextEncoder().encode(JSON.stringify(head));
  const first = new Uint8Array(LENGTHS + json.length);
  const view = new DataView(first.buffer);
  view.setUint32(0, json.length);
  view.setUint32(LENGTHS / 2, bytes.length);
  first.set(json, LENGTHS);
  return bytes.length > 0 ? [first, bytes] : [first];
}

/** Reads messages from a pipe. */
export class FrameReader {
  readonly #pipe: Pipe;
  /** Rest of the last chunk, which no message has used yet. */
  #rest: Uint8Array = new Uint8Array();

  constructor(pipe: Pipe) {
    this.#pipe = pipe;
  }

  /** The next message; undefined at the end of the pipe. Throws for what is no message. */
  async next(): Promise<Frame | undefined> {
    const lengths = await this.#take(LENGTHS);
    if (!lengths) return undefined;
    const view = new DataView(lengths.buffer);
    const json = await this.#take(view.getUint32(0));
    const bytes = await this.#take(view.getUint32(LENGTHS / 2));
    if (!json || !bytes) return undefined;
    return { head: JSON.parse(new TextDecoder().decode(json)), bytes };
  }

  async #take(length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (length > MOST_BYTES) throw new RangeError(`Cannot read a message of ${length} bytes`);
    const taken = new Uint8Array(length);
    for (let at = 0; at < length;) {
      if (this.#rest.length === 0) {
        const chunk = await this.#pipe.read();
        if (!chunk) return undefined;
        this.#rest = chunk;
      }
      const piece = this.#rest.subarray(0, length - at);
      taken.set(piece, at);
      at += piece.length;
      this.#rest = this.#rest.subarray(piece.length);
    }
    return taken;
  }
}
