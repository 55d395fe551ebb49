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
  /** True behind the opening of a word. */
  #isInWord = false;
  /** Bytes of that word from chunks before. */
  #word: ByteBuffer | undefined;

  constructor(nonce: string, sinks: OutputSinks) {
    this.#opening = new TextEncoder().encode(`\0${nonce}`);
    this.#sinks = sinks;
  }

  push(chunk: Uint8Array): void {
    let rest = this.#pending.length === 0 ? chunk : joinBytes([this.#pending, chunk]);
    this.#pending = new Uint8Array();
    while (rest.length > 0) {
      rest = this.#isInWord ? this.#readWord(rest) : this.#readData(rest);
    }
  }

  /** Ends the stream. An incomplete word is output. */
  end(): void {
    this.#abandonWord();
    this.#emit(this.#pending);
    this.#pending = new Uint8Array();
  }

  /** Reads up to the end of the open word; returns the bytes behind it. */
  #readWord(bytes: Uint8Array): Uint8Array {
    const close = bytes.indexOf(0);
    const part = close === -1 ? bytes : bytes.subarray(0, close);
    const isTooLong = (this.#word?.size ?? 0) + part.length > LONGEST_BYTES;
    if (close === -1 || this.#word || isTooLong) (this.#word ??= new ByteBuffer()).add(part);
    if (isTooLong) this.#abandonWord();
    if (close === -1) return new Uint8Array();
    if (isTooLong) return bytes.subarray(close);
    const word = decoder.decode(this.#word?.bytes() ?? part);
    this.#isInWord = false;
    this.#word = undefined;
    this.#sinks.word(word);
    return bytes.subarray(close + 1);
  }

  /** Reads up to and over the next opening; returns the bytes behind it. */
  #readData(bytes: Uint8Array): Uint8Array {
    for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) {
      const match = this.#opens(bytes, at);
      if (match === "no") continue;
      this.#emit(bytes.subarray(0, at));
      if (match === "perhaps") this.#pending = bytes.slice(at);
      else this.#isInWord = true;
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
    if (!this.#isInWord) return;
    this.#emit(joinBytes([this.#opening, ...(this.#word ? [this.#word.bytes()] : [])]));
    this.#isInWord = false;
    this.#word = undefined;
  }

  #emit(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#sinks.data(bytes);
  }
}
