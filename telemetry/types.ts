/** Types of logs: their places and levels. */

import type { Log, LogLevel, Tracer } from "#base";
import type { AuditRecord } from "./otel_logs.ts";

export type LogThreshold = LogLevel | "off";

/** A log on stderr for a person or a program that reads it. */
export interface StderrLog {
  readonly level: LogThreshold;
  readonly format: "json" | "text" | "color";
  readonly write: (line: string) => void;
}

/** A log in files. */
export interface FileLog {
  readonly path: string;
  /** Folder below which no link is followed. */
  readonly root?: string;
  readonly level: LogThreshold;
  readonly format: "json" | "text";
  readonly maxBytes: number;
  readonly files: number;
}

export interface TelemetryOptions {
  /** Missing where errors are only printed for a person (`tell`). */
  readonly stderr?: StderrLog;
  readonly file?: FileLog;
  /** Value of `TOOLSCRIPT_LOG` that is not a level. */
  readonly unknown?: string;
  /** Prints a message for a person; used where there is no log on stderr. */
  readonly tell: Log;
  /** Values that are never written. */
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
  /** Adds values that are never written. */
  conceal(values: Iterable<string>): void;
  /** Takes secrets out of a text, and cuts one that is too long. */
  redact(text: string): string;
  /** Exports one event of the audit, where that is on. */
  audit(record: AuditRecord): void;
  /** Takes secrets out of a text of any length, and cuts nothing. */
  redactWhole(text: string): string;
}
