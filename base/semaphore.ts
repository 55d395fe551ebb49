/** A bounded number of things at once; the others wait their turn. */

import { once } from "./async.ts";
import { FairQueue } from "./fair_queue.ts";

/** Releases the place, once; `using` does it at the end of a block. */
export interface Release extends Disposable {
  (): void;
}

export interface Semaphore {
  /** Resolves with the function that releases the place. Rejects with the signal's reason. `owner`
   * is the run that needs the place; each call without one counts as an owner of its own. */
  acquire(signal: AbortSignal | undefined, owner: string | undefined): Promise<Release>;
}

/** Allows `size` holders at the same time, at most `share` of them of one owner. Waiting owners
 * take turns; those that hold their share are passed over. */
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
      // Few calls have to wait: a listener on a signal takes longer than all else here.
      if (free > 0 && waiting.isEmpty && !hasShare(owner)) return Promise.resolve(take(owner));
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
