/** Times of repeated work, and their statistics. */

export interface Summary {
  readonly runs: number;
  readonly min: number;
  readonly median: number;
  readonly p95: number;
}

export interface RepeatOptions {
  readonly runs: number;
  /** Turns before the first that counts. */
  readonly warmUp?: number;
  /** Time between two turns, not counted: for the work that a turn leaves behind. */
  readonly pauseMs?: number;
}

/** The value below which `share` of the values lie: the nearest rank, so one that was measured. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.ceil(share * sorted.length) - 1;
  const value = sorted[Math.min(Math.max(rank, 0), sorted.length - 1)];
  if (value === undefined) throw new RangeError("Cannot take a percentile: there are no values");
  return value;
}

/** Summarizes how values are spread. */
export function summarize(values: readonly number[]): Summary {
  return {
    runs: values.length,
    min: percentile(values, 0),
    median: percentile(values, 0.5),
    p95: percentile(values, 0.95),
  };
}

/** Factor by which a value is faster than the baseline, where there is one. */
export function ratioOf(baseline: number | undefined, median: number): number | undefined {
  return baseline === undefined ? undefined : baseline / median;
}

/** Milliseconds that `work` took. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/** Repeats `work`, one turn after another, and returns the result of each. */
export async function repeat<T>(
  work: (turn: number) => Promise<T>,
  { runs, warmUp = 0, pauseMs = 0 }: RepeatOptions,
): Promise<T[]> {
  const results: T[] = [];
  for (let turn = -warmUp; turn < runs; turn++) {
    if (pauseMs > 0) await pause(pauseMs);
    const result = await work(turn);
    if (turn >= 0) results.push(result);
  }
  return results;
}

/** Resolves after some milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
