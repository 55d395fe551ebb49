/** Recorded rows of runs and calls, and the statistics made from them (OT-15 to OT-21). */

import type { AuditRow } from "./audit/audit.ts";

/** Row of a call that has ended: sizes and times, never arguments or results. */
export interface CallRow {
  /** Milliseconds since 1970, when it began. */
  readonly at: number;
  readonly ms: number;
  /** The run that it belongs to; null for a call outside a run. */
  readonly run: string | null;
  readonly client: string;
  readonly pack: string;
  readonly tool: string;
  /** Why it failed; null where it did not. */
  readonly code: string | null;
  /** Bytes of its arguments as JSON. */
  readonly bytesIn: number;
  /** Bytes of its result as JSON, or of its error. */
  readonly bytesOut: number;
}

/** Row of a run that has ended. */
export interface RunRow {
  readonly run: string;
  readonly at: number;
  readonly ms: number;
  readonly kind: "command" | "script";
  readonly client: string;
  /** The run that it was a part of: a snippet called in code. */
  readonly within: string | null;
  readonly code: string | null;
  readonly calls: number;
  /** Bytes of the program as it was sent. */
  readonly bytesIn: number;
  /** Bytes of the reply to the client. */
  readonly bytesOut: number;
  /** Tools that could be called, by `ToolsetRow.id`. */
  readonly toolset: string | null;
  /** True for a run that could only read. */
  readonly look: boolean;
}

/** The definitions of all tools at a time, which an agent would have had to read. */
export interface ToolsetRow {
  /** A hash of them. */
  readonly id: string;
  readonly tools: number;
  readonly bytes: number;
  /** Bytes of what the agent reads instead: the tool `run`, and the instructions. */
  readonly offered: number;
}

export interface Batch {
  readonly calls: readonly CallRow[];
  readonly runs: readonly RunRow[];
  readonly audit?: readonly AuditRow[];
  readonly toolsets: readonly ToolsetRow[];
}

/** A text whose tokens are to be counted; it is not kept. */
export interface Sample {
  /** A tool's results, programs, replies, or the definitions of a toolset. */
  readonly kind: string;
  readonly text: string;
}

export const PERIODS = ["day", "week", "month", "all"] as const;
export type Period = (typeof PERIODS)[number];

export interface StatsQuery {
  readonly period: Period;
  /** `brave.search`, in any of its spellings; all tools where it is missing. */
  readonly tool?: string;
}

export interface ToolStats {
  readonly tool: string;
  readonly calls: number;
  /** Percentage. */
  readonly success_rate: number;
  readonly avg_ms: number;
  readonly p95_ms: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly context_saved: number;
  readonly time_saved_ms: number;
}

/** Calls, runs and errors in a stretch of time. */
export interface TimeBucket {
  /** ISO 8601. */
  readonly from: string;
  readonly calls: number;
  readonly errors: number;
  readonly runs: number;
}

/** Tokens, with and without Toolscript. */
export interface Savings {
  /** Definitions of tools that were not sent. */
  readonly schemas: number;
  /** Arguments and results of calls inside runs: what the agent would have written and read. */
  readonly calls: number;
  /** Programs and replies: what it wrote and read instead. */
  readonly runs: number;
  readonly sessions: number;
  /** Turns of the agent that one run with several calls made unnecessary. */
  readonly turns: number;
  /** The median time between a reply and the same client's next run. */
  readonly turn_ms: number;
  /** Time won by calls that ran side by side. */
  readonly overlap_ms: number;
  /** The share of all bytes whose tokens per byte were measured on texts of their own kind. */
  readonly measured: number;
}

/** Everything that the reports are made of. */
export interface StatsData {
  readonly period: Period;
  /** The first that counts; null where nothing is kept. */
  readonly since: string | null;
  readonly until: string;
  readonly tool: string | null;
  readonly total_calls: number;
  readonly success_rate: number;
  readonly runs: {
    readonly total: number;
    readonly success_rate: number;
    readonly avg_ms: number;
    /** Those that could only read. */
    readonly look: number;
  };
  readonly context_saved: number;
  readonly time_saved_ms: number;
  readonly savings: Savings;
  readonly tools: readonly ToolStats[];
  readonly errors: readonly { readonly code: string; readonly count: number }[];
  readonly clients: readonly {
    readonly client: string;
    readonly runs: number;
    readonly calls: number;
  }[];
  readonly buckets: readonly TimeBucket[];
}

/** Store of the statistics; a team's store may replace it. */
export interface StatsStore {
  /** Keeps a batch whole or not at all; false where it must be given again, later. */
  write(batch: Batch): boolean;
  close(): void;
}

/** Reads a store without blocking the event loop. */
export interface StatsReader extends AsyncDisposable {
  read(query: StatsQuery): Promise<StatsData>;
  /** Counts tokens, and keeps how many there are for each byte. */
  count(samples: readonly Sample[]): Promise<void>;
  /** Removes rows that are too old or too many. */
  tidy(): Promise<void>;
}

/** The kind of text that a tool answers with. */
export function kindOf(pack: string, tool: string): string {
  return `tool:${pack}.${tool}`;
}
