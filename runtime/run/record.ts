/** Record of one run while it goes on, and the reply made from it. */

import type { JsonValue, Span } from "#base";
import type { Execution } from "#sandbox";
import type { Explained } from "./problem/problem.ts";
import type { RunEvent, RunReply } from "./types.ts";

/** A run that has begun to count: its name, and its span. */
export interface OpenedRun {
  readonly run: string;
  readonly span: Span;
}

export interface RunRecord {
  /** The run's id. */
  readonly run: string;
  readonly span: Span;
  /** Tells that the run was taken; before any other event, and once. */
  started(): void;
  readonly event: (event: RunEvent) => void;
  readonly output: (stream: "stdout" | "stderr", data: Uint8Array) => void;
  /** Measures a stage. */
  time<T>(stage: Timed, work: () => Promise<T>): Promise<T>;
  warn(message: string): void;
  executed(execution: Execution, calls: number): void;
  /** `value` is left out where the text is sanitized, and where there is no value. */
  succeed(text: string, value?: JsonValue): RunReply;
  fail(explained: Explained): RunReply;
}

export interface RecordDeps {
  readonly now: () => number;
  readonly onEvent?: (event: RunEvent) => void;
}

type Timed = "parse" | "check" | "hand_over" | "serialise";
/** Span names of stages, where they differ from the keys in the reply. */
const SPANS: Partial<Record<Timed, string>> = { hand_over: "sandbox.lease" };

type Timing = { -readonly [stage in keyof RunReply["timing"]]: number };

/** Begins a run: its clock starts. */
export function openRecord(
  { run, span }: OpenedRun,
  { now, onEvent = () => {} }: RecordDeps,
): RunRecord {
  const startedAt = now();
  const timing: Timing = { parse: 0, check: 0, hand_over: 0, execute: 0, serialise: 0 };
  const printed = { stdout: createText(), stderr: createText() };
  const warnings: string[] = [];
  let calls = 0;
  let isStarted = false;

  function started(): void {
    if (isStarted) return;
    isStarted = true;
    onEvent({ type: "started", run });
    for (const warning of warnings) tellWarning(warning);
  }

  function tellWarning(data: string): void {
    onEvent({ type: "log", level: "warning", data });
  }

  function close(result: Pick<RunReply, "ok" | "text" | "value" | "error">): RunReply {
    started();
    for (const stream of ["stdout", "stderr"] as const) {
      const rest = printed[stream].end();
      if (rest !== "") onEvent({ type: stream, data: rest });
    }
    return {
      run,
      ...result,
      stdout: printed.stdout.text(),
      stderr: printed.stderr.text(),
      warnings,
      calls,
      ms: round(now() - startedAt),
      timing,
    };
  }

  function measure(stage: keyof Timing, since: number): void {
    timing[stage] = round(now() - since);
  }

  return {
    run,
    span,
    started,
    event: onEvent,
    output(stream, data) {
      const text = printed[stream].add(data);
      if (text !== "") onEvent({ type: stream, data: text });
    },
    async time(stage, work) {
      const since = now();
      try {
        return await span.span(SPANS[stage] ?? stage, {}, work);
      } finally {
        measure(stage, since);
      }
    },
    warn(message) {
      warnings.push(message);
      if (isStarted) tellWarning(message);
    },
    executed(execution, count) {
      timing.execute = round(execution.executeMs);
      calls = count;
    },
    succeed: (text, value) => close({ ok: true, text, ...(value === undefined ? {} : { value }) }),
    fail: ({ text, error }) => close({ ok: false, text, error }),
  };
}

interface Printed {
  /** Decodes bytes to the text that is complete so far. */
  add(data: Uint8Array): string;
  end(): string;
  text(): string;
}

function createText(): Printed {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  function keep(text: string): string {
    if (text !== "") parts.push(text);
    return text;
  }
  return {
    add: (data) => keep(decoder.decode(data, { stream: true })),
    end: () => keep(decoder.decode()),
    text: () => parts.join(""),
  };
}

/** Milliseconds with three digits behind the point. */
export function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
