/** Log and tracer of one gateway, over their files, stderr and collector. */

import { type Log, type LogLevel, untraced } from "#base";
import type { Entry, Line } from "./lines.ts";
import { createLogFile, type LogFile } from "./log_file.ts";
import { openOtel } from "./otel.ts";
import { type ExportSettings, readExport, type Signal } from "./otel_export.ts";
import { openOtelLogs } from "./otel_logs.ts";
import { createRedactor, type Redactor } from "./redact.ts";
import { createTracer, type SpanReport } from "./tracer.ts";
import type { LogThreshold, Telemetry, TelemetryOptions } from "./types.ts";

const ORDER: Readonly<Record<LogThreshold, number>> = {
  debug: 0,
  info: 1,
  warning: 2,
  error: 3,
  off: 4,
};
const LEVELS = Object.keys(ORDER).join(", ");
/** Spans within a run: numerous, and useful only for profiling. */
const DETAILS: ReadonlySet<string> = new Set([
  "parse",
  "check",
  "execute",
  "serialise",
  "sandbox.lease",
]);

interface Sink {
  readonly level: LogThreshold;
  readonly line: Line;
  readonly write: (line: string) => void;
}

/** Opens log and tracer. Without a log in a file or on stderr and without a collector, spans are not
 * timed at all. */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const redactor = createRedactor(options.secrets);
  const tell: Log = (level, message, facts) =>
    options.tell(level, redactor.text(message), facts && redactor.facts(facts));
  const onError = (error: unknown) => tell("warning", "Cannot write the log", { error });
  const file = isOn(options.file) ? createLogFile({ ...options.file, onError }) : undefined;
  const sinks = await openSinks(options, file);
  const write = (entry: Entry) => writeTo(sinks, entry);
  const log: Log = (level, message, facts = {}) => {
    if (!options.stderr) options.tell(level, redactor.text(message), redactor.facts(facts));
    if (!sinks.some((sink) => reaches(sink, level))) return;
    const entry = { message: redactor.text(message), facts: redactor.facts(facts) };
    write({ time: options.now(), level, ...entry });
  };
  if (options.unknown !== undefined) {
    log("warning", `Cannot log at the level "${options.unknown}": use one of ${LEVELS}`);
  }
  const exportOf = <T>(signal: Signal, open: (settings: Chosen) => Promise<T>) =>
    openExport(open, { signal, env: options.env, log });
  const [otel, logs] = await Promise.all([
    exportOf("traces", (settings) => openOtel(settings, { ...options, redact: redactor.text })),
    exportOf("logs", (settings) => openOtelLogs(settings, options)),
  ]);
  const report = (report: SpanReport) => {
    const level = levelOf(report);
    if (!sinks.some((sink) => reaches(sink, level))) return;
    write(spanEntry(report, { time: options.now(), level, redactor }));
  };
  return {
    log,
    tracer: sinks.length === 0 && !otel
      ? untraced
      : createTracer({ now: options.clock, report, exporter: otel }),
    conceal: redactor.conceal,
    redact: redactor.text,
    audit: (record) => logs?.write(record),
    redactWhole: redactor.whole,
    async [Symbol.asyncDispose]() {
      await Promise.all([otel, logs, file].map((part) => part?.[Symbol.asyncDispose]()));
    },
  };
}

function isOn<T extends { readonly level: LogThreshold }>(log: T | undefined): log is T {
  return log !== undefined && log.level !== "off";
}

async function openSinks(
  { stderr, file }: TelemetryOptions,
  opened: LogFile | undefined,
): Promise<readonly Sink[]> {
  if (!isOn(stderr) && !opened) return [];
  const { createLine } = await import("./lines.ts");
  return [
    ...(isOn(stderr) ? [{ ...stderr, line: createLine(stderr.format) }] : []),
    ...(file && opened ? [{ ...file, line: createLine(file.format), write: opened.write }] : []),
  ];
}

function writeTo(sinks: readonly Sink[], entry: Entry): void {
  for (const sink of sinks) if (reaches(sink, entry.level)) sink.write(sink.line(entry));
}

function reaches(sink: Sink, level: LogLevel): boolean {
  return ORDER[level] >= ORDER[sink.level];
}

type Chosen = Exclude<ExportSettings, string | undefined>;

async function openExport<T>(
  open: (settings: Chosen) => Promise<T>,
  { signal, env, log }: Pick<TelemetryOptions, "env"> & {
    readonly signal: Signal;
    readonly log: Log;
  },
): Promise<T | undefined> {
  const settings = readExport(env, signal);
  if (settings === undefined) return undefined;
  if (typeof settings === "string") return void log("warning", settings);
  try {
    return await open(settings);
  } catch (error) {
    // A gateway starts without an export too.
    return void log("warning", `Cannot export ${signal}`, { error });
  }
}

function levelOf({ name, outcome }: SpanReport): LogLevel {
  if (DETAILS.has(name)) return "debug";
  const isExpected = outcome === "ok" || outcome === "AbortError"; // the gateway closes
  return !isExpected && /\.(connect|start)$/.test(name) ? "warning" : "info";
}

interface EntryOptions {
  readonly time: number;
  readonly level: LogLevel;
  readonly redactor: Redactor;
}

/** Converts a span to one line: its name, outcome, duration and facts. */
function spanEntry(
  { name, outcome, ms, attributes }: SpanReport,
  { time, level, redactor }: EntryOptions,
): Entry {
  const facts = redactor.facts(attributes);
  return { time, level, message: name, facts: { span: name, outcome, ms, ...facts } };
}
