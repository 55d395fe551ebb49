/** Separates a process's output from the loader's control words in it. */

import { joinBytes } from "./bytes.ts";
import { LONGEST_WORD } from "./child/protocol.ts";

/** Reads chunks of one stream. `data` gets what the program wrote, `word` what the loader said. */
export class OutputReader {
  readonly #opening: Uint8Array;
  readonly #data: (bytes: Uint8Array) => void;
  readonly #word: (word: string) => void;
  #held: Uint8Array = new Uint8Array();

  constructor(
    nonce: string,
    sinks: { data: (bytes: Uint8Array) => void; word: (word: string) => void },
  ) {
    this.#opening = new TextEncoder().encode(`\0${nonce}`);
    this.#data = sinks.data;
    this.#word = sinks.word;
  }

  push(chunk: Uint8Array): void {
    let rest = this.#held.length === 0 ? chunk : joinBytes([this.#held, chunk]);
    this.#held = new Uint8Array();
    let from = 0;
    for (let at = rest.indexOf(0); at !== -1; at = rest.indexOf(0, from)) {
      const match = this.#match(rest, at);
      if (match === "partial") {
        this.#emit(rest.subarray(0, at));
        this.#held = rest.slice(at);
        return;
      }
      if (match === undefined) {
        from = at + 1;
        continue;
      }
      this.#emit(rest.subarray(0, at));
      this.#word(match.word);
      rest = rest.subarray(match.end);
      from = 0;
    }
    this.#emit(rest);
  }

  /** The stream is over: what looked like the start of a word was none. */
  end(): void {
    this.#emit(this.#held);
    this.#held = new Uint8Array();
  }

  #match(bytes: Uint8Array, at: number): { word: string; end: number } | "partial" | undefined {
    const opening = this.#opening;
    for (let i = 1; i < opening.length; i++) {
      if (at + i >= bytes.length) return "partial";
      if (bytes[at + i] !== opening[i]) return undefined;
    }
    const start = at + opening.length;
    const close = bytes.indexOf(0, start);
    if (close === -1) return bytes.length - start > LONGEST_BYTES ? undefined : "partial";
    return { word: decoder.decode(bytes.subarray(start, close)), end: close + 1 };
  }

  #emit(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#data(bytes);
  }
}

const decoder = new TextDecoder();
/** A character has three bytes at most for each unit of its length. */
const LONGEST_BYTES = 3 * LONGEST_WORD;
