/** A bounded number of things at once; the others wait their turn. */

import { once } from "./async.ts";
import { FairQueue } from "./fair_queue.ts";

/** Releases the place, once; `using` does it at the end of a block. */
export interface Release extends Disposable {
  (): void;
}

export interface Semaphore {
  /** Resolves with the function that releases the place. Rejects with the signal's reason. The owner is
   * the run that the place is for; `undefined` is one of its own each time. */
  acquire(signal: AbortSignal | undefined, owner: string | undefined): Promise<Release>;
}

/** Lets `size` holders in at the same time, `share` of one owner. Owners that wait take turns, but for
 * those that have their share. */
export function createSemaphore(size: number, share: number): Semaphore {
  const waiting = new FairQueue<() => void>();
  const held = new Map<unknown, number>();
  let free = size;

  const hasShare = (owner: unknown) => (held.get(owner) ?? 0) >= share;

  function count(owner: unknown, by: 1 | -1): void {
    free -= by;
    const left = (held.get(owner) ?? 0) + by;
    if (left > 0) held.set(owner, left);
    else held.delete(owner);
  }

  function admit(): void {
    if (free > 0) waiting.take((owner) => !hasShare(owner))?.();
  }

  function take(owner: unknown): Release {
    count(owner, 1);
    const release = once(() => {
      count(owner, -1);
      waiting.putBack(owner);
      admit();
    });
    return Object.assign(release, { [Symbol.dispose]: release });
  }

  return {
    acquire(signal, run) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const owner = run ?? Symbol();
      return new Promise((resolve, reject) => {
        function enter() {
          signal?.removeEventListener("abort", leave);
          resolve(take(owner));
        }
        function leave() {
          waiting.remove(owner, enter);
          reject(signal?.reason);
        }
        signal?.addEventListener("abort", leave, { once: true });
        waiting.push(owner, enter);
        admit();
      });
    },
  };
}
