/** Reports of a run from its begin to its end, to a part that shows what goes on. */

import type { RunOptions } from "./stage.ts";
import type { RunEvent, RunReply, RunRequest } from "./types.ts";

/** A run that has begun. */
export interface BegunRun extends Pick<RunOptions, "client" | "within"> {
  readonly run: string;
  readonly request: RunRequest;
}

/** Receives what happens to one run. Never throws. */
export interface RunWatch {
  event(event: RunEvent): void;
  ended(reply: RunReply): void;
  /** The run was not accepted. */
  refused(error: unknown): void;
}

/** Receives the begin of a run. Never throws. */
export type RunWatcher = (run: BegunRun) => RunWatch;

/** Does the run and reports it; a command that is only explained is no run. */
export async function watched(
  { watch, begun, onEvent }: {
    readonly watch: RunWatcher | undefined;
    readonly begun: BegunRun;
    readonly onEvent: RunOptions["onEvent"];
  },
  work: (onEvent: RunOptions["onEvent"]) => Promise<RunReply>,
): Promise<RunReply> {
  const { request } = begun;
  if (!watch || request.kind === "command" && request.explain) return await work(onEvent);
  const run = watch(begun);
  try {
    const reply = await work((event) => {
      run.event(event);
      onEvent?.(event);
    });
    run.ended(reply);
    return reply;
  } catch (error) {
    run.refused(error);
    throw error;
  }
}
