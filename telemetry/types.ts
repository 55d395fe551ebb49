/** What is logged, where to, and how much. */

import type { Log, LogLevel, Tracer } from "#sandbox";

export type LogThreshold = LogLevel | "off";

/** A log on stderr for a person or a program that reads it. */
export interface StderrLog {
  readonly level: LogThreshold;
  readonly format: "json" | "text" | "colour";
  readonly write: (line: string) => void;
}

/** A log in files. */
export interface FileLog {
  readonly path: string;
  /** Below this folder no link is followed. */
  readonly root?: string;
  readonly level: LogThreshold;
  readonly format: "json" | "text";
  readonly maxBytes: number;
  readonly files: number;
}

export interface TelemetryOptions {
  /** Missing where a person is told what went wrong, and no more. */
  readonly stderr?: StderrLog;
  readonly file?: FileLog;
  /** A level that was asked for and is none. */
  readonly unknown?: string;
  /** Tells a person; used where there is no log on stderr. */
  readonly tell: Log;
  /** Values that are never shown. */
  readonly secrets: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds, of a clock that never goes back. */
  readonly clock: () => number;
}

export interface Telemetry extends AsyncDisposable {
  readonly log: Log;
  readonly tracer: Tracer;
  /** Further values that are never shown. */
  conceal(values: Iterable<string>): void;
}
