/** Charts of the report. */

import type { StatsData, TimeBucket } from "../types.ts";
import { columns, type Markup, rows } from "./bars.ts";
import { duration, short, whole } from "./numbers.ts";

const MOST = 8;
const DAY_MS = 86_400_000;

/** Calls in each stretch of the period. */
export function callsOverTime({ buckets }: StatsData): Markup {
  const [first, second] = buckets;
  const step = first && second ? Date.parse(second.from) - Date.parse(first.from) : DAY_MS;
  const bars = buckets.map((bucket) => ({
    label: timeLabel(bucket, step),
    title: `${timeTitle(bucket, step)}: ${whole(bucket.calls)} calls, ${
      whole(bucket.errors)
    } failed, ${whole(bucket.runs)} runs`,
    parts: [
      { kind: "ok", value: bucket.calls - bucket.errors },
      { kind: "error", value: bucket.errors },
    ],
  }));
  return columns(bars, { label: "Calls over time" });
}

function timeLabel({ from }: TimeBucket, step: number): string {
  const date = new Date(from);
  if (step < DAY_MS / 2) {
    return date.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false });
  }
  return date.toLocaleDateString("en", { month: "short", day: "numeric" });
}

function timeTitle({ from }: TimeBucket, step: number): string {
  const timeStyle = step < DAY_MS / 2 ? "short" : undefined;
  return new Date(from).toLocaleString("en", { dateStyle: "medium", timeStyle });
}

/** The tools that were called most. */
export function topTools({ tools }: StatsData): Markup {
  const bars = tools.slice(0, MOST).map(({ tool, calls, success_rate }) => {
    const failed = Math.round(calls * (100 - success_rate) / 100);
    return {
      label: tool,
      title: `${tool}: ${whole(calls)} calls, ${whole(failed)} failed`,
      note: short(calls),
      parts: [{ kind: "ok", value: calls - failed }, { kind: "error", value: failed }],
    };
  });
  return rows(bars, { label: "The tools that were called most" });
}

/** The tools that took longest. */
export function slowestTools({ tools }: StatsData): Markup {
  const slowest = tools.toSorted((a, b) => b.p95_ms - a.p95_ms).slice(0, MOST);
  const bars = slowest.map(({ tool, p95_ms, avg_ms }) => ({
    label: tool,
    title: `${tool}: p95 ${duration(p95_ms)}, average ${duration(avg_ms)}`,
    note: duration(p95_ms),
    parts: [{ kind: "ok", value: p95_ms }],
  }));
  return rows(bars, { label: "The tools that took longest" });
}

/** Tokens that an agent would have read and written, and those that it did. */
export function contextBars({ savings }: StatsData): Markup {
  const { schemas, calls, runs } = savings;
  const without = schemas + calls;
  const bars = [{
    label: "Without Toolscript",
    title: `${whole(schemas)} tokens of definitions, ${whole(calls)} of arguments and results`,
    note: `${short(without)} tokens`,
    parts: [{ kind: "schemas", value: schemas }, { kind: "calls", value: calls }],
  }, {
    label: "With Toolscript",
    title: `${whole(runs)} tokens of programs and replies`,
    note: `${short(runs)} tokens`,
    parts: [{ kind: "runs", value: runs }],
  }];
  return rows(bars, { label: "Tokens without and with Toolscript", width: 1_080 });
}
