/** Runs and calls as the journal shows them: texts are cut, and hold no secrets. */

import type { Excerpt } from "./excerpt.ts";

export type RunState = "running" | "ok" | "failed";

/** A run in a list. */
export interface RunSummary {
  readonly run: string;
  readonly kind: "command" | "script";
  readonly client: string;
  /** The run that it was a part of. */
  readonly within: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null while it runs. */
  readonly ms: number | null;
  readonly state: RunState;
  /** Why it failed. */
  readonly code: string | null;
  /** Beginning of the program, in one line. */
  readonly title: string;
  readonly calls: number;
}

export interface JournalCall {
  readonly tool: string;
  readonly state: RunState;
  /** Milliseconds after the begin of the run. */
  readonly after: number;
  /** Null while it is under way. */
  readonly ms: number | null;
  /** Why it failed. */
  readonly code: string | null;
  readonly args: Excerpt;
  /** Its result, or the message of its error; null while it is under way. */
  readonly result: Excerpt | null;
}

export interface RunDetails extends RunSummary {
  readonly file: string | null;
  readonly program: Excerpt;
  readonly list: readonly JournalCall[];
  readonly stdout: Excerpt;
  readonly stderr: Excerpt;
  /** Text of the reply; null while it runs. */
  readonly text: Excerpt | null;
  /** Handle of the result, where it was too large to be sent whole. */
  readonly stored: string | null;
  readonly error: {
    readonly message: string;
    readonly line: number | null;
  } | null;
  readonly warnings: readonly string[];
  /** Runs that were a part of it. */
  readonly parts: readonly RunSummary[];
}

export interface RunFilter {
  readonly client?: string;
  /** `running`, `ended`, `ok`, `failed`, or the code of a failure. */
  readonly outcome?: string;
  readonly tool?: string;
}

/** Values that runs can be filtered by. */
export interface RunFacets {
  readonly clients: readonly string[];
  readonly codes: readonly string[];
  readonly tools: readonly string[];
}

/** Change of a run or of a call. */
export type JournalEvent =
  | { readonly type: "run"; readonly run: string; readonly state: RunState }
  | {
    readonly type: "call";
    readonly run: string;
    readonly tool: string;
    readonly state: RunState;
  };
