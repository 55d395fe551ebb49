/** Reads a pipe through one buffer. A stream left to itself allocates 64 KB for every message of a
 * few bytes, and clearing and collecting those takes longer than most messages. */

const BYTES = 65_536;

/** Takes one chunk after another out of a stream of bytes. */
export class ChunkReader {
  readonly #reader: ReadableStreamBYOBReader;
  #buffer = new ArrayBuffer(BYTES);

  /** Locks `stream`, which must be a byte stream: those of child processes are. */
  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader({ mode: "byob" });
  }

  /** The next bytes, good until the next are asked for; undefined at the end. */
  async read(): Promise<Uint8Array | undefined> {
    const { value, done } = await this.#reader.read(new Uint8Array(this.#buffer));
    if (done) return undefined;
    this.#buffer = value.buffer;
    return value;
  }

  /** Gives every chunk to `take`, until the stream ends. */
  async each(take: (chunk: Uint8Array) => void): Promise<void> {
    for (let chunk = await this.read(); chunk; chunk = await this.read()) take(chunk);
  }

  /** Ends a read that waits. */
  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}
