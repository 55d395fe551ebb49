/** Reads a pipe through one buffer. By default a stream allocates 64 KB for every message of a few
 * bytes; clearing and collecting them takes longer than most messages. */

const BYTES = 65_536;

/** Reads one chunk after another from a stream of bytes. */
export class ChunkReader {
  readonly #reader: ReadableStreamBYOBReader | ReadableStreamDefaultReader<Uint8Array>;
  #buffer = new ArrayBuffer(BYTES);

  /** Locks `stream`. Those of child processes take the buffer; the body of a request that has arrived
   * whole has chunks of its own. */
  constructor(stream: ReadableStream<Uint8Array>) {
    try {
      this.#reader = stream.getReader({ mode: "byob" });
    } catch (error) {
      if (stream.locked || !(error instanceof TypeError)) throw error;
      this.#reader = stream.getReader();
    }
  }

  /** Reads the next bytes, valid until the next call; undefined at the end. */
  async read(): Promise<Uint8Array | undefined> {
    const reader = this.#reader;
    if (reader instanceof ReadableStreamDefaultReader) return (await reader.read()).value;
    const { value, done } = await reader.read(new Uint8Array(this.#buffer));
    if (done) return undefined;
    this.#buffer = value.buffer;
    return value;
  }

  /** Passes every chunk to `onChunk`, until the stream ends. */
  async each(onChunk: (chunk: Uint8Array) => void): Promise<void> {
    for (let chunk = await this.read(); chunk; chunk = await this.read()) onChunk(chunk);
  }

  /** Ends a read that waits. */
  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}
