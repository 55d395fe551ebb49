/** A bounded number of things at once; the others wait their turn. */

import { once } from "./async.ts";

/** Releases the place, once; `using` does it at the end of a block. */
export interface Release extends Disposable {
  (): void;
}

export interface Semaphore {
  /** Resolves with the function that releases the place. Rejects with the signal's reason. A holder
   * without an owner counts for itself alone. */
  acquire(signal?: AbortSignal, owner?: string): Promise<Release>;
}

interface Waiting {
  readonly owner: string | undefined;
  readonly enter: () => void;
}

/** Lets `size` holders in at the same time, `share` of one owner; first come, first served, but for
 * those whose owner has its share. */
export function createSemaphore(size: number, share = size): Semaphore {
  const waiting: Waiting[] = [];
  const held = new Map<string, number>();
  let free = size;

  function hasShare(owner: string | undefined): boolean {
    return owner !== undefined && (held.get(owner) ?? 0) >= share;
  }

  function count(owner: string | undefined, by: 1 | -1): void {
    free -= by;
    if (owner === undefined) return;
    const left = (held.get(owner) ?? 0) + by;
    if (left > 0) held.set(owner, left);
    else held.delete(owner);
  }

  function take(owner: string | undefined): Release {
    count(owner, 1);
    const release = once(() => {
      count(owner, -1);
      const at = waiting.findIndex((next) => !hasShare(next.owner));
      if (at >= 0) waiting.splice(at, 1)[0]?.enter();
    });
    return Object.assign(release, { [Symbol.dispose]: release });
  }

  return {
    acquire(signal, owner) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (free > 0 && !hasShare(owner)) return Promise.resolve(take(owner));
      return new Promise((resolve, reject) => {
        const next = { owner, enter };
        function enter() {
          signal?.removeEventListener("abort", leave);
          resolve(take(owner));
        }
        function leave() {
          const at = waiting.indexOf(next);
          if (at >= 0) waiting.splice(at, 1);
          reject(signal?.reason);
        }
        signal?.addEventListener("abort", leave, { once: true });
        waiting.push(next);
      });
    },
  };
}
