/** Reader of small programs in the gateway's own thread, where no other work goes on meanwhile. */

import { sleep } from "#base";
import { bounded, isTimeout } from "#base/bounded";
import { isQuick, REHEARSAL } from "./quick.ts";
import { SourceReader } from "./source_reader.ts";
import type { Knowledge, ReaderAnswer, Source } from "./types.ts";

/** Longest reading. Most take a few milliseconds: a busy machine lets a thread wait for less. */
const LIMIT_MS = 1_000;
/** A reading that took longer is followed by a pause so many times as long: a client may send one such
 * program after another. */
const SLOW_MS = 20;
const PAUSES = 50;

/** Turns of the rehearsal, and the pause between them. */
const REHEARSALS = 20;
const REHEARSAL_PAUSE_MS = 10;

export interface QuickReaderDeps {
  /** Milliseconds since any moment. */
  readonly now?: () => number;
  /** Longest reading, in milliseconds. */
  readonly limitMs?: number;
}

/** Reads what is quick to read, and gives the rest up in little time. */
export class QuickReader implements Disposable {
  readonly #reader = new SourceReader();
  readonly #now: () => number;
  readonly #limitMs: number;
  readonly #end = new AbortController();
  /** When the next program may be read here. */
  #readyAt = Infinity;

  constructor({ now = () => performance.now(), limitMs = LIMIT_MS }: QuickReaderDeps = {}) {
    this.#now = now;
    this.#limitMs = limitMs;
  }

  learn(knowledge: Knowledge): void {
    this.#reader.learn(knowledge);
  }

  /** Reads a few small programs again and again, so that the engine has compiled the code before the
   * first real one. Until then nothing is read here. */
  async rehearse(): Promise<void> {
    for (let turn = 0; turn <= REHEARSALS && !this.#end.signal.aborted; turn++) {
      for (const source of REHEARSAL) await this.#reader.read(source);
      await sleep(REHEARSAL_PAUSE_MS, this.#end.signal).catch(() => {}); // it was closed
    }
    this.#readyAt = this.#now();
  }

  /** Reads a program; undefined for one that has to be read elsewhere. */
  async read(source: Source): Promise<ReaderAnswer | undefined> {
    const begun = this.#now();
    if (this.#end.signal.aborted || begun < this.#readyAt || !isQuick(source)) return undefined;
    try {
      return await this.#reader.read(source, (work) => bounded(work, this.#limitMs));
    } catch (error) {
      if (!isTimeout(error)) throw error;
      return undefined;
    } finally {
      const now = this.#now();
      const took = now - begun;
      if (took > SLOW_MS) this.#readyAt = now + PAUSES * took;
    }
  }

  /** Reads nothing more here. */
  [Symbol.dispose](): void {
    this.#end.abort();
  }
}
