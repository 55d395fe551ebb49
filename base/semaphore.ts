/** A bounded number of things at once; the others wait their turn. */

import { once } from "./async.ts";

export interface Semaphore {
  /** Resolves with the function that releases the place. Rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<() => void>;
}

/** Lets `size` holders in at the same time, first come, first served. */
export function createSemaphore(size: number): Semaphore {
  let free = size;
  const waiting: Array<() => void> = [];

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  return {
    acquire(signal) {
      if (free > 0) {
        free--;
        return Promise.resolve(once(release));
      }
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal?.removeEventListener("abort", leave);
          resolve(once(release));
        };
        const leave = () => {
          const at = waiting.indexOf(enter);
          if (at >= 0) waiting.splice(at, 1);
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", leave, { once: true });
        waiting.push(enter);
      });
    },
  };
}
