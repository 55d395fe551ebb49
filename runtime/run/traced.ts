/** The span of a run, which its stages and its calls are children of. */

import { type Span, type Tracer, untraced } from "#base";
import type { Execution } from "#sandbox";
import type { OpenedRun } from "./record.ts";
import type { RunOptions } from "./stage.ts";
import type { RunReply, RunRequest } from "./types.ts";

export interface TracedDeps {
  readonly tracer?: Tracer;
  readonly runId: () => string;
}

/** Does the run within a span; a program that failed is a span that failed. */
export function traced(
  { tracer = untraced, runId }: TracedDeps,
  { request, options }: { readonly request: RunRequest; readonly options: RunOptions },
  work: (opened: OpenedRun) => Promise<RunReply>,
): Promise<RunReply> {
  const run = runId();
  const parent = (options.span ?? tracer).within(options.trace);
  const { client, within } = options;
  return parent.span("run", { run, kind: request.kind, client, within }, async (span) => {
    const reply = await work({ run, span });
    span.set({ calls: reply.calls });
    if (!reply.ok) span.fail(reply.error?.code ?? "failed");
    return reply;
  });
}

/** Does the execution within a span. */
export function timeExecution(run: Span, execute: () => Promise<Execution>): Promise<Execution> {
  return run.span("execute", {}, async (span) => {
    const execution = await execute();
    const { kind } = execution.outcome;
    if (kind !== "value" && kind !== "nothing") span.fail(kind);
    return execution;
  });
}
