/** Queue of runs: some run at once, some wait, further ones are refused. */

import { SandboxError } from "./types.ts";

export interface QueueLimits {
  readonly concurrent: number;
  readonly queue: number;
}

export class Queue {
  readonly #limits: () => QueueLimits;
  readonly #waiting: PromiseWithResolvers<void>[] = [];
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

  /** Resolves when the run may start; `leave` ends it. */
  async enter(signal?: AbortSignal): Promise<void> {
    const { concurrent, queue } = this.#limits();
    if (signal?.aborted) throw cancelled();
    if (this.#running < concurrent && this.#waiting.length === 0) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= queue) {
      throw new SandboxError(
        "busy",
        `Cannot take the run: ${this.#running} are running and ${this.#waiting.length} wait: ` +
          `try again later, or raise "sandbox.concurrent" or "sandbox.queue"`,
      );
    }
    await this.#wait(signal);
  }

  leave(): void {
    this.#running--;
    this.admit();
  }

  /** Starts waiting runs up to the limit, which may have been raised. */
  admit(): void {
    while (this.#running < this.#limits().concurrent) {
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
