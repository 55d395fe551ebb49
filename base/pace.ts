/** Pauses between pieces of work that block their thread. */

import { abortable, sleep } from "./async.ts";
import { FairQueue } from "./fair_queue.ts";

/** Length of work, in milliseconds, after which other work gets as much time. */
const SLOW_MS = 20;

export interface PaceOptions {
  /** Key of a client: clients take turns. Work without a key counts as a client of its own. */
  readonly client?: string;
  readonly signal?: AbortSignal;
}

/** Does a piece of work, and settles as that does. Rejects with the signal's reason where it is aborted
 * before the work begins. */
export type Pace = <T>(work: () => T, options?: PaceOptions) => Promise<T>;

/** Makes the function that runs work: at once while little time was spent on work; after 20 ms of
 * it, once other work has had as much time.
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

  function timed<T>(work: () => T, startedAt = performance.now()): T {
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
    const at = performance.now();
    if (!isTaking && at >= restUntil) return timed(work, at);
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
