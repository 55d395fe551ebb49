/** Concurrent work with a limit. */

import { PackError } from "../../errors.ts";
import type { CallOptions } from "../../types.ts";

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

/** Error that concerns one of many items. Throws all other errors, which end the whole. */
export function errorOfOne(error: unknown, signal: AbortSignal): PackError {
  if (!(error instanceof PackError) || signal.aborted) throw error;
  return error;
}
