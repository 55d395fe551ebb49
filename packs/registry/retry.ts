/** Repeats calls that failed for a reason that may pass. */

import { sleep } from "#base";
import { PackError } from "../errors.ts";

/** Most repetitions of one call. */
export const MAX_RETRIES = 10;
/** Time before the first repetition, in milliseconds; it doubles up to the longest. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

export interface RetryOptions {
  /** Repetitions at most. */
  readonly retry: number;
  readonly signal?: AbortSignal;
}

/** Does `work`, and again while it fails with a retryable error. Once `signal` is aborted it fails
 * with its last error. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { retry, signal }: RetryOptions,
): Promise<T> {
  for (let left = retry, wait = FIRST_WAIT_MS;; left--, wait *= 2) {
    try {
      return await work();
    } catch (error) {
      const mayPass = error instanceof PackError && error.retryable;
      if (!mayPass || left === 0 || signal?.aborted) throw error;
      // Calls that failed together are repeated at different times.
      const ms = Math.min(wait, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
      await sleep(ms, signal).catch(() => {
        throw error;
      });
    }
  }
}
