/** One worker that reads: one thing at a time, each within a deadline, clients in turn. */

import { abortable, FairQueue } from "#base";
import { deadlineOf, LATE } from "./quick.ts";
import type { Knowledge, ReaderTurn, SnippetSource, Source } from "./types.ts";

/** Time to load the worker on a busy machine. */
const LOAD_MS = 20_000;

interface AskOptions<T> extends ReaderTurn {
  /** Makes the answer after the deadline. */
  readonly late: (message: string) => T;
}

/** A worker that starts with the first question, and again where it had to be stopped. */
export class ReaderThread implements Disposable {
  readonly #name: string;
  readonly #queue = new FairQueue<() => Promise<void>>();
  #isBusy = false;
  #worker: Worker | undefined;
  #knowledge: Knowledge | undefined;
  #closed = false;
  /** Rejects the question under way. */
  #abandon: (() => void) | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  learn(knowledge: Knowledge): void {
    this.#knowledge = knowledge;
    this.#worker?.postMessage({ kind: "knowledge", ...knowledge });
  }

  /** Asks in the client's turn. Rejects at once where the signal fires; a question whose signal has
   * fired by its turn is not asked. */
  ask<T>(source: Source | SnippetSource, { client, signal, late }: AskOptions<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // Without a client each question is one of its own.
    this.#queue.push(client ?? {}, async () => {
      if (signal?.aborted) return reject(signal.reason);
      await this.#answer(source, late).then(resolve, reject);
    });
    void this.#work();
    return signal ? abortable(promise, signal) : promise;
  }

  /** Rejects what is asked and waits. */
  [Symbol.dispose](): void {
    this.#closed = true;
    this.#stop();
    this.#abandon?.();
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let next = this.#queue.take(); next; next = this.#queue.take()) await next();
    this.#isBusy = false;
  }

  async #answer<T>(
    source: Source | SnippetSource,
    late: (message: string) => T,
  ): Promise<T> {
    if (this.#closed) throw closed();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const limit = deadlineOf(source);
    const giveUp = () => resolve(late(`could not be read within ${Math.round(limit / 1_000)} s`));
    // A new worker gets time to load.
    const timer = setTimeout(() => {
      this.#stop();
      giveUp();
    }, this.#worker ? limit : limit + LOAD_MS);
    const worker = this.#worker ??= this.#start();
    this.#abandon = () => reject(closed());
    worker.onmessage = ({ data }: MessageEvent<T | typeof LATE>) => {
      if (data === LATE) giveUp();
      else resolve(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#stop();
      reject(new Error(`Cannot read the program: the reader failed: ${event.message}`));
    };
    worker.postMessage(source);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #start(): Worker {
    const worker = new Worker(import.meta.resolve("./reader_worker.ts"), {
      type: "module",
      name: this.#name,
    });
    if (this.#knowledge) worker.postMessage({ kind: "knowledge", ...this.#knowledge });
    return worker;
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

function closed(): TypeError {
  return new TypeError("Cannot read a program: the reader is closed");
}
