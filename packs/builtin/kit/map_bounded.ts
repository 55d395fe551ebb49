/** Many things to do, a few of them at the same time. */

import type { CallOptions } from "../../types.ts";

export interface BoundedOptions {
  /** How many at the same time. */
  readonly concurrent: number;
  readonly signal: AbortSignal;
  readonly onProgress?: CallOptions["onProgress"];
}

/** The results in the order of the items. The first that throws ends it; none is begun then. */
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
      signal.throwIfAborted();
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
