/** Turns of the statements on one SQLite file: runs alternate, so that none waits for all queued
 * statements of another. */

import { createSemaphore, type Semaphore } from "#base";
import { Holder, type HolderDeps, type HolderOptions, type Work } from "./holder.ts";
import type { SqliteRows } from "./protocol.ts";

export interface HoldersOptions {
  readonly write: boolean;
  /** Statements at the same time, each in a process of its own; one of a run. */
  readonly count: number;
}

/** Runs requests, each in a process that has no other. Throws `PackError`. */
export class Holders implements AsyncDisposable {
  readonly #deps: HolderDeps;
  readonly #turns: Semaphore;
  readonly #all: readonly Holder[];
  /** Those without work; the one that worked last is the first to be taken. */
  readonly #free: Holder[];

  constructor(path: string, { write, count }: HoldersOptions, deps: HolderDeps) {
    this.#deps = deps;
    this.#turns = createSemaphore(count, 1);
    this.#all = Array.from({ length: count }, () => new Holder(path, write, deps));
    this.#free = [...this.#all];
  }

  async run(work: Work, options: HolderOptions): Promise<readonly SqliteRows[]> {
    const { signal, run } = options;
    using _begun = await this.#deps.processes.begin(options);
    using turn = new DisposableStack();
    turn.use(await this.#turns.acquire(signal, run));
    const holder = this.#free.pop();
    if (!holder) throw new TypeError("A turn is given where no holder is free");
    turn.defer(() => void this.#free.push(holder));
    return await holder.run(work, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#all.map((holder) => holder[Symbol.asyncDispose]()));
  }
}
