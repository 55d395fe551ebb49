/** Concurrent work with a limit. */

import { sizeAsJson } from "#base";
import { PackError } from "../../errors.ts";
import type { CallOptions } from "../../types.ts";

/** Characters of all results as JSON, errors left out. */
const MOST_RESULT = 2 ** 23;
const TOO_LARGE = `the results of one call have at most ${MOST_RESULT} characters in all: ` +
  "ask for less, or for this one alone";

export interface BoundedOptions {
  /** Maximum number of items in work at the same time. */
  readonly concurrent: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: CallOptions["onProgress"];
}

/** Returns the results in the order of the items. After the first error no further item begins. */
export async function mapBounded<T, R>(
  items: readonly T[],
  { concurrent, signal, onProgress }: BoundedOptions,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const left = items.entries();
  let done = 0;
  let failed = false;
  const worker = async () => {
    for (const [at, item] of left) {
      if (failed) return;
      signal?.throwIfAborted();
      try {
        results[at] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
      onProgress?.({ progress: ++done, total: items.length });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrent, items.length) }, worker));
  return results;
}

export interface EachOptions<T, R> extends BoundedOptions {
  readonly signal: AbortSignal;
  /** Result of an item that fails. */
  readonly failed: (item: T, error: PackError) => R;
}

/** Returns the results in the order of the items. An item that fails does not affect the others,
 * nor does one whose result is too large beside those before it. */
export function mapEach<T, R>(
  items: readonly T[],
  { failed, signal, ...options }: EachOptions<T, R>,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  let room = MOST_RESULT;
  return mapBounded(items, { signal, ...options }, async (item) => {
    try {
      const result = await work(item);
      const size = sizeAsJson(result, room);
      if (size > room) throw new PackError("too_large", TOO_LARGE);
      room -= size;
      return result;
    } catch (error) {
      if (!(error instanceof PackError) || signal.aborted) throw error;
      return failed(item, error);
    }
  });
}
