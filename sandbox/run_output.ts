/** Output of one run: without the secret, within its limit, held back during the check. */

import { ByteBuffer, within } from "#base";
import { filterOf, type SecretFilter } from "./process/secret_filter.ts";

/** Time for output that is on its way when the outcome has come. */
const DRAIN_MS = 250;
/** Changes between stdout and stderr whose order is kept while output is held back. */
const MAX_TURNS = 1_000;

export type Stream = "stdout" | "stderr";
export type Print = (stream: Stream, bytes: Uint8Array) => void;

export interface RunOutputOptions {
  readonly secret: string;
  /** Bytes of both streams together. */
  readonly maxBytes: number;
  readonly print: Print;
  /** Called when the program has written more than `maxBytes`. */
  readonly onOverrun: () => void;
}

export class RunOutput {
  readonly #options: RunOutputOptions;
  readonly #filters: Readonly<Record<Stream, SecretFilter>>;
  readonly #open = new Set<Stream>(["stdout", "stderr"]);
  readonly #drained = Promise.withResolvers<void>();
  #bytes = 0;

  constructor(options: RunOutputOptions) {
    const { secret } = options;
    this.#options = options;
    this.#filters = { stdout: filterOf("stdout", secret), stderr: filterOf("stderr", secret) };
  }

  /** Adds what the program wrote to a stream that is open. V8 ends out of memory with a report of its
   * own on stderr, which is dropped: the outcome says the same better. */
  push(stream: Stream, bytes: Uint8Array): void {
    if (stream === "stderr" && startsWith(bytes, HEAP_REPORT)) this.#open.delete("stderr");
    if (this.#open.has(stream)) this.#print(stream, this.#filters[stream].push(bytes));
  }

  /** Ends a stream: what follows on it is dropped. */
  close(stream: Stream): void {
    if (this.#open.delete(stream)) this.#print(stream, this.#filters[stream].end());
    if (this.#open.size === 0) this.#drained.resolve();
  }

  closeAll(): void {
    for (const stream of [...this.#open]) this.close(stream);
    this.#drained.resolve();
  }

  /** Drops what was not printed, and all that follows. */
  abandon(): void {
    this.#open.clear();
    this.#drained.resolve();
  }

  /** Resolves when both streams have ended, or have had enough time for it. */
  async drain(): Promise<void> {
    if (this.#open.size > 0) await within(this.#drained.promise, DRAIN_MS);
  }

  #print(stream: Stream, bytes: Uint8Array): void {
    const { maxBytes, print, onOverrun } = this.#options;
    const room = maxBytes - this.#bytes;
    this.#bytes += bytes.length;
    if (room > 0 && bytes.length > 0) print(stream, bytes.subarray(0, room));
    if (bytes.length > room) onOverrun();
  }
}

/** Output that waits for the type check. */
export class BufferedOutput {
  readonly #pieces: { readonly stream: Stream; readonly bytes: ByteBuffer }[] = [];

  add(stream: Stream, bytes: Uint8Array): void {
    const pieces = this.#pieces;
    const isTurn = pieces.at(-1)?.stream !== stream && pieces.length < MAX_TURNS;
    if (isTurn) pieces.push({ stream, bytes: new ByteBuffer() });
    pieces.findLast((piece) => piece.stream === stream)?.bytes.add(bytes);
  }

  release(print: Print): void {
    for (const { stream, bytes } of this.#pieces.splice(0)) print(stream, bytes.bytes());
  }
}

const HEAP_REPORT = new TextEncoder().encode("\n<--- Last few GCs --->");

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}
