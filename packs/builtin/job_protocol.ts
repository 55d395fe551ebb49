/** What a pack and its worker say to each other, and the worker's side of it. */

import { parentPort } from "node:worker_threads";
import { bounded } from "#sandbox/bounded";

/** One piece of work: which, and what it is given. */
export interface Job {
  readonly kind: string;
  readonly input: unknown;
  /** When the worker gives it up, milliseconds. */
  readonly timeoutMs?: number;
}

const LONGEST_MS = 120_000;

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

/** What a worker can do, by kind. */
export type JobTable = { readonly [kind: string]: (input: never) => unknown };

/** Answers jobs, one after the other; called once, by the worker's own file. */
export function serveJobs(table: JobTable): void {
  parentPort?.on("message", async ({ kind, input, timeoutMs = LONGEST_MS }: Job) => {
    const work = table[kind];
    parentPort?.postMessage(
      await answer(work && ((it) => bounded(() => work(it), timeoutMs)), input),
    );
  });
  parentPort?.postMessage({ kind: "ready" } satisfies JobAnswer);
}

async function answer(work: JobTable[string] | undefined, input: unknown): Promise<JobAnswer> {
  try {
    if (!work) throw new TypeError("no such job");
    return { kind: "done", value: await work(input as never) };
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
