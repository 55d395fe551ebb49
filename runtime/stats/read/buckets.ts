/** Calls over time, in stretches of hours or days. */

import type { DatabaseSync } from "node:sqlite";
import { CALLS_IN_SCOPE, number, RUNS_IN_SCOPE, type Scope } from "./scope.ts";
import type { TimeBucket } from "../types.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The shortest stretch that keeps a chart readable. */
const STEPS = [HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 90 * DAY_MS, 365 * DAY_MS];
const MAX_BUCKETS = 45;

/** Counts by stretches, those without a call too; hours and days are those of this machine. */
export function bucketsOf(database: DatabaseSync, scope: Scope): TimeBucket[] {
  const { from, until, pack, tool } = scope;
  const step = STEPS.find((ms) => (until - from) / ms <= MAX_BUCKETS) ?? STEPS.at(-1) ?? DAY_MS;
  const starts = startsOf(from, until, step);
  const counts = starts.map(() => ({ calls: 0, errors: 0, runs: 0 }));
  const calls = database.prepare(
    `SELECT at / ${HOUR_MS} AS hour, COUNT(*) AS count, COUNT(code) AS failed
     FROM calls WHERE ${CALLS_IN_SCOPE} GROUP BY hour`,
  ).all({ from, pack, tool });
  for (const { hour, count, failed } of calls) {
    const bucket = counts[indexOf(starts, number(hour) * HOUR_MS)];
    if (!bucket) continue;
    bucket.calls += number(count);
    bucket.errors += number(failed);
  }
  const runs = database.prepare(
    `SELECT at / ${HOUR_MS} AS hour, COUNT(*) AS count
     FROM runs WHERE within IS NULL AND ${RUNS_IN_SCOPE} GROUP BY hour`,
  ).all({ from, pack, tool });
  for (const { hour, count } of runs) {
    const bucket = counts[indexOf(starts, number(hour) * HOUR_MS)];
    if (bucket) bucket.runs += number(count);
  }
  return starts.map((start, index) => ({
    from: new Date(start).toISOString(),
    ...(counts[index] ?? { calls: 0, errors: 0, runs: 0 }),
  }));
}

function startsOf(from: number, until: number, step: number): number[] {
  const starts: number[] = [];
  const date = new Date(from);
  if (step === HOUR_MS) date.setMinutes(0, 0, 0);
  else date.setHours(0, 0, 0, 0);
  while (date.getTime() <= until) {
    starts.push(date.getTime());
    // By the calendar: a day is not always 24 hours.
    if (step === HOUR_MS) date.setTime(date.getTime() + HOUR_MS);
    else date.setDate(date.getDate() + step / DAY_MS);
  }
  return starts;
}

/** The last stretch that begins no later; an hour that the first one cuts belongs to it. */
function indexOf(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? Infinity) <= at) low = middle;
    else high = middle;
  }
  return low;
}
