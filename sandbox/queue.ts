/** Queue of runs: some run at once, some wait, further ones are refused. */

import { createSemaphore, once, type Semaphore } from "#base";
import { MAX_DEPTH, type RunWithin, SandboxError } from "./types.ts";

export interface QueueLimits {
  readonly concurrent: number;
  readonly queue: number;
}

/** Place of a run that may start. */
export interface Place extends Disposable {
  /** Lets another run start while a person is asked; the returned function takes that back. */
  pause(): () => void;
}

/** Returns how many processes have a run at the same time at most: those of the queue, as many for runs
 * that wait for a person, and as many for the runs within runs at each depth. */
export function processesAtOnce(concurrent: number): number {
  return concurrent * (2 + MAX_DEPTH);
}

export class Queue {
  readonly #limits: () => QueueLimits;
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  /** Places of the runs within runs, for each size and depth. Runs that wait for those within them
   * may hold all others. */
  readonly #within = new Map<string, Semaphore>();
  /** Places of the runs that wait for a person. */
  readonly #paused = new Set<Place>();
  #running = 0;

  /** `limits` returns the current ones: the configuration can be reloaded. */
  constructor(limits: () => QueueLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when the run may start. A run within another waits for those of its depth there. */
  async enter(signal?: AbortSignal, within?: RunWithin): Promise<Place> {
    if (signal?.aborted) throw cancelled();
    return within ? await this.#enterWithin(within, signal) : await this.#enterLine(signal);
  }

  /** Starts waiting runs up to the limit, which may have been raised. */
  admit(): void {
    while (this.#hasRoom()) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running++;
      next.resolve();
    }
  }

  /** Refuses all waiting runs. */
  close(): void {
    for (const waiting of this.#waiting.splice(0)) {
      waiting.reject(
        new SandboxError("unavailable", "Cannot take the run: the gateway is closing"),
      );
    }
  }

  /** Runs that wait for a person leave room for as many as may run. */
  #hasRoom(): boolean {
    const { concurrent } = this.#limits();
    return this.#running < concurrent + Math.min(this.#paused.size, concurrent);
  }

  async #enterLine(signal?: AbortSignal): Promise<Place> {
    const { queue } = this.#limits();
    if (this.#waiting.length > 0 || !this.#hasRoom()) {
      if (this.#waiting.length >= queue) throw this.#busy();
      await this.#wait(signal);
    } else {
      this.#running++;
    }
    return this.#place();
  }

  /** One run gets half of the places of a depth. */
  async #enterWithin({ run, depth }: RunWithin, signal?: AbortSignal): Promise<Place> {
    const { concurrent } = this.#limits();
    const key = `${concurrent} ${depth}`;
    const places = this.#within.get(key) ?? createSemaphore(concurrent, Math.ceil(concurrent / 2));
    this.#within.set(key, places);
    const release = await places.acquire(signal, run).catch(() => {
      throw cancelled();
    });
    return { pause: () => () => {}, [Symbol.dispose]: release };
  }

  #place(): Place {
    let pauses = 0;
    const place: Place = {
      pause: () => {
        pauses++;
        this.#paused.add(place);
        this.admit();
        return once(() => {
          pauses--;
          if (pauses === 0) this.#paused.delete(place);
        });
      },
      [Symbol.dispose]: once(() => {
        this.#paused.delete(place);
        this.#running--;
        this.admit();
      }),
    };
    return place;
  }

  #busy(): SandboxError {
    return new SandboxError(
      "busy",
      `Cannot take the run: ${this.#running} are running and ${this.#waiting.length} wait: ` +
        `try again later, or raise "sandbox.concurrent" or "sandbox.queue"`,
    );
  }

  async #wait(signal?: AbortSignal): Promise<void> {
    const place = Promise.withResolvers<void>();
    this.#waiting.push(place);
    const cancel = () => {
      const at = this.#waiting.indexOf(place);
      if (at !== -1) this.#waiting.splice(at, 1);
      place.reject(cancelled());
    };
    signal?.addEventListener("abort", cancel);
    try {
      await place.promise;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }
}

function cancelled(): SandboxError {
  return new SandboxError("cancelled", "Cannot take the run: it was cancelled");
}
