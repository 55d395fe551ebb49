/** Reports of a run from its begin to its end, to a part that shows what goes on. */

import { RunRefused } from "./errors.ts";
import type { RunOptions } from "./stage.ts";
import type { RunEvent, RunReply, RunRequest } from "./types.ts";

/** A run that has begun. */
export interface BegunRun extends Pick<RunOptions, "client" | "within"> {
  readonly run: string;
  readonly request: RunRequest;
}

/** A run that was not accepted, for the audit. */
export interface RejectedRun extends BegunRun {
  readonly error: RunRefused;
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
  { watch, onRejected, begun, onEvent }: {
    readonly watch: RunWatcher | undefined;
    readonly onRejected?: (run: RejectedRun) => void;
    readonly begun: BegunRun;
    readonly onEvent: RunOptions["onEvent"];
  },
  work: (onEvent: RunOptions["onEvent"]) => Promise<RunReply>,
): Promise<RunReply> {
  const { request, within } = begun;
  const isExplained = request.kind === "command" && request.explain === true;
  const run = isExplained ? undefined : watch?.(begun);
  try {
    const both = run && ((event: RunEvent) => {
      run.event(event);
      onEvent?.(event);
    });
    const reply = await work(both ?? onEvent);
    run?.ended(reply);
    return reply;
  } catch (error) {
    run?.refused(error);
    // A run within another is a call that was refused.
    const isOuter = within === undefined;
    if (isOuter && error instanceof RunRefused) onRejected?.({ ...begun, error });
    throw error;
  }
}
