/** Output of one run: without the secret, within its limit, held back during the check. */

import { Buffer } from "node:buffer";
import { ByteBuffer, joinBytes, within } from "#base";
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
  readonly #reports = new ReportFilter();
  readonly #drained = Promise.withResolvers<void>();
  #bytes = 0;

  constructor(options: RunOutputOptions) {
    const { secret } = options;
    this.#options = options;
    this.#filters = { stdout: filterOf("stdout", secret), stderr: filterOf("stderr", secret) };
  }

  /** Adds what the program wrote to a stream that is open. Reports of the engine on stderr are dropped:
   * the outcome says the same better. */
  push(stream: Stream, bytes: Uint8Array): void {
    if (!this.#open.has(stream)) return;
    const own = stream === "stderr" ? this.#reports.push(bytes) : bytes;
    this.#print(stream, this.#filters[stream].push(own));
  }

  /** Ends a stream: what follows on it is dropped. */
  close(stream: Stream): void {
    if (this.#open.delete(stream)) {
      const rest = stream === "stderr" ? this.#reports.end() : new Uint8Array();
      this.#print(
        stream,
        joinBytes([this.#filters[stream].push(rest), this.#filters[stream].end()]),
      );
    }
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

/** Beginnings of the last words of V8, out of memory, and of Deno, about an error that nothing caught. Deno
 * shows a line of a file there that it reads by itself, whatever it was told to leave alone. */
const REPORTS = ["<--- Last few GCs --->", "error: Uncaught"].map((text) => Buffer.from(text));

/** Drops such a report, and all that follows, in bytes that come in pieces. */
class ReportFilter {
  #pending: Uint8Array = new Uint8Array();
  #isOver = false;

  push(bytes: Uint8Array): Uint8Array {
    if (this.#isOver) return new Uint8Array();
    const all = joinBytes([this.#pending, bytes]);
    const text = Buffer.from(all.buffer, all.byteOffset, all.length);
    const starts = REPORTS.map((report) => text.indexOf(report)).filter((at) => at >= 0);
    this.#isOver = starts.length > 0;
    const end = Math.min(text.length, ...starts, ...REPORTS.map((report) => startIn(text, report)));
    this.#pending = all.slice(end);
    return all.subarray(0, end);
  }

  /** Returns the bytes that were held back. */
  end(): Uint8Array {
    return this.#isOver ? new Uint8Array() : this.#pending;
  }
}

/** Position from where the text may be the start of a report; its length without one. */
function startIn(text: Buffer, report: Buffer): number {
  for (let at = Math.max(0, text.length - report.length + 1); at < text.length; at++) {
    if (text.subarray(at).equals(report.subarray(0, text.length - at))) return at;
  }
  return text.length;
}
