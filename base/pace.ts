/** Turns for work that may hold up all other work of its thread. */

import { abortable, sleep } from "./async.ts";
import { FairQueue } from "./fair_queue.ts";

/** Time of work after which other work has as long a time. */
const SLOW_MS = 20;

export interface PaceOptions {
  /** Clients take turns; work without one is of a client of its own. */
  readonly client?: string;
  readonly signal?: AbortSignal;
}

/** Does a piece of work, and settles as that does. Rejects with the signal's reason where it is aborted
 * before the work begins. */
export type Pace = <T>(work: () => T, options?: PaceOptions) => Promise<T>;

/** Makes turns: work is done at once as long as it took little, and after 20 ms of it waits until other
 * work has had as long a time.
 *
 * @example
 * ```ts
 * const pace = createPace();
 * await Promise.all([pace(() => "first"), pace(() => "second")]);
 * ```
 */
export function createPace(): Pace {
  const waiting = new FairQueue<() => void>();
  let isTaking = false;
  /** Time of work that other work has not had yet, and the end of the last piece. */
  let owed = 0;
  let endedAt = 0;
  let restUntil = 0;

  function timed<T>(work: () => T): T {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      owed = Math.max(0, owed - (startedAt - endedAt));
      endedAt = performance.now();
      owed += endedAt - startedAt;
      if (owed >= SLOW_MS) restUntil = endedAt + owed;
    }
  }

  async function take(): Promise<void> {
    if (isTaking) return;
    isTaking = true;
    while (!waiting.isEmpty) {
      await sleep(Math.ceil(restUntil - performance.now()));
      waiting.take()?.();
    }
    isTaking = false;
  }

  return async <T>(work: () => T, { client, signal }: PaceOptions = {}) => {
    signal?.throwIfAborted();
    if (!isTaking && performance.now() >= restUntil) return timed(work);
    const turn = Promise.withResolvers<T>();
    waiting.push(client ?? {}, () => {
      if (signal?.aborted) return;
      try {
        turn.resolve(timed(work));
      } catch (error) {
        turn.reject(error);
      }
    });
    void take();
    return await (signal ? abortable(turn.promise, signal) : turn.promise);
  };
}
