/** What a pack and its worker say to each other, and the worker's side of it. */

import { parentPort } from "node:worker_threads";
import { bounded } from "#sandbox/bounded";

/** One piece of work: which, and what it is given. */
export interface Job {
  readonly kind: string;
  readonly input: unknown;
}

/** A job on its way to the worker. */
export interface SentJob extends Job {
  /** When the worker gives it up, milliseconds. */
  readonly timeoutMs: number;
}

export type JobAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly value: unknown }
  /** What the input got wrong: the text is for the agent. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };

/** The input of a job cannot be used; the message says why and the way out. */
export class JobRefused extends Error {
  override readonly name = "JobRefused";
}

/** What a worker can do, by kind. Each gives its value or, where something must be loaded first, a
 * promise of the work that then gives it: nothing else that is computed after an `await` would be
 * ended in time. */
export type JobTable = { readonly [kind: string]: (input: never) => unknown };

/** Answers jobs, one after the other; called once, by the worker's own file. */
export function serveJobs(table: JobTable): void {
  parentPort?.on("message", async ({ kind, input, timeoutMs }: SentJob) => {
    parentPort?.postMessage(await answer(table[kind], { input, timeoutMs }));
  });
  parentPort?.postMessage({ kind: "ready" } satisfies JobAnswer);
}

async function answer(
  work: JobTable[string] | undefined,
  { input, timeoutMs }: { readonly input: unknown; readonly timeoutMs: number },
): Promise<JobAnswer> {
  try {
    if (!work) throw new TypeError("no such job");
    const given = await bounded(() => work(input as never), timeoutMs);
    return {
      kind: "done",
      value: typeof given === "function" ? bounded(() => given(), timeoutMs) : given,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof JobRefused) return { kind: "refused", message };
    if (error instanceof RangeError && message.includes("call stack")) {
      return { kind: "refused", message: "it is nested too deep" };
    }
    if (error instanceof RangeError && message.includes("Invalid string length")) {
      return { kind: "refused", message: "it would give more text than there is room for" };
    }
    return { kind: "failed", message };
  }
}
