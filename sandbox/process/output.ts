/** Separates a process's output from the loader's control words in it. */

import { ByteBuffer, joinBytes } from "#base";
import { LONGEST_WORD } from "../child/protocol.ts";

const decoder = new TextDecoder();
/** A character has three bytes at most for each unit of its length. */
const LONGEST_BYTES = 3 * LONGEST_WORD;

export interface OutputSinks {
  readonly data: (bytes: Uint8Array) => void;
  readonly word: (word: string) => void;
}

/** Reads chunks of one stream. `data` gets the program's output, `word` the loader's control words. */
export class OutputReader {
  readonly #opening: Uint8Array;
  readonly #sinks: OutputSinks;
  /** Possible start of an opening at the end of the last chunk. */
  #pending: Uint8Array = new Uint8Array();
  /** Incomplete word, without its opening. */
  #word: ByteBuffer | undefined;

  constructor(nonce: string, sinks: OutputSinks) {
    this.#opening = new TextEncoder().encode(`\0${nonce}`);
    this.#sinks = sinks;
  }

  push(chunk: Uint8Array): void {
    let rest = this.#pending.length === 0 ? chunk : joinBytes([this.#pending, chunk]);
    this.#pending = new Uint8Array();
    while (rest.length > 0) {
      rest = this.#word ? this.#readWord(this.#word, rest) : this.#readData(rest);
    }
  }

  /** Ends the stream. An incomplete word is output. */
  end(): void {
    this.#abandonWord();
    this.#emit(this.#pending);
    this.#pending = new Uint8Array();
  }

  /** Reads up to the end of the open word; returns the bytes behind it. */
  #readWord(word: ByteBuffer, bytes: Uint8Array): Uint8Array {
    const close = bytes.indexOf(0);
    word.add(close === -1 ? bytes : bytes.subarray(0, close));
    const isTooLong = word.size > LONGEST_BYTES;
    if (isTooLong) this.#abandonWord();
    if (close === -1) return new Uint8Array();
    if (isTooLong) return bytes.subarray(close);
    this.#word = undefined;
    this.#sinks.word(decoder.decode(word.bytes()));
    return bytes.subarray(close + 1);
  }

  /** Reads up to and over the next opening; returns the bytes behind it. */
  #readData(bytes: Uint8Array): Uint8Array {
    for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) {
      const match = this.#opens(bytes, at);
      if (match === "no") continue;
      this.#emit(bytes.subarray(0, at));
      if (match === "perhaps") this.#pending = bytes.slice(at);
      else this.#word = new ByteBuffer();
      return match === "yes" ? bytes.subarray(at + this.#opening.length) : new Uint8Array();
    }
    this.#emit(bytes);
    return new Uint8Array();
  }

  #opens(bytes: Uint8Array, at: number): "yes" | "no" | "perhaps" {
    for (let i = 1; i < this.#opening.length; i++) {
      if (at + i >= bytes.length) return "perhaps";
      if (bytes[at + i] !== this.#opening[i]) return "no";
    }
    return "yes";
  }

  /** Treats the open word as output of the program. */
  #abandonWord(): void {
    if (!this.#word) return;
    this.#emit(joinBytes([this.#opening, this.#word.bytes()]));
    this.#word = undefined;
  }

  #emit(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#sinks.data(bytes);
  }
}
