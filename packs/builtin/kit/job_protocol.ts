/** Messages between a pack and its worker, and the worker's side of the protocol. */

import { parentPort } from "node:worker_threads";
import { LARGE, sizeAsJson } from "#base";
import { bounded } from "#base/bounded";

/** Lists and objects that one result may have: each takes up to a hundred bytes in the gateway. */
const MOST_PARTS = 1_000_000;

/** One piece of work. */
export interface Job {
  readonly kind: string;
  /** Bytes as an `ArrayBuffer`: of a typed array Deno (2.9.6) lists the indices, for seconds. */
  readonly input: unknown;
}

/** A job as it is posted to the worker. */
export interface JobMessage extends Job {
  /** Time limit that the worker itself holds, in milliseconds. */
  readonly timeoutMs: number;
  /** Characters of the result as JSON, about. */
  readonly maxResult: number;
}

export type JobAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly value: unknown }
  /** A large value, which can be read in pieces. */
  | { readonly kind: "json"; readonly text: string }
  /** The input is wrong. The message is for the agent. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };

/** Thrown when the input of a job cannot be used. The message has the reason and the way out. */
export class JobRefused extends Error {
  override readonly name = "JobRefused";
}

/** Result of a job as JSON, never a promise. */
type Settled = string | number | boolean | null | undefined | (object & { readonly then?: never });

/** Handlers of a worker, by kind of job. A handler that must load something returns a promise of a
 * function. Only the handler and that function run under the time limit; code after an `await` does
 * not: it loads, and reads nothing of the input but by `parseLarge`. */
export type JobTable = {
  readonly [kind: string]: (input: never) => Settled | Promise<() => Settled>;
};

/** Runs the jobs that are posted to this worker. Called once, by the worker's file. */
export function serveJobs(table: JobTable): void {
  parentPort?.on("message", async (message: JobMessage) => {
    parentPort?.postMessage(await answer(table[message.kind], message));
  });
  parentPort?.postMessage({ kind: "ready" } satisfies JobAnswer);
}

async function answer(
  work: JobTable[string] | undefined,
  { input, timeoutMs, maxResult }: JobMessage,
): Promise<JobAnswer> {
  try {
    if (!work) throw new TypeError("no such job");
    const result = await bounded(() => work(input as never), timeoutMs);
    const value = typeof result === "function" ? bounded(() => result(), timeoutMs) : result;
    return written(value, maxResult);
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

function written(value: unknown, maxResult: number): JobAnswer {
  if (typeof value !== "object" || value === null) return { kind: "done", value };
  if (sizeAsJson(value, maxResult) > maxResult) {
    throw new JobRefused(`the result has over ${maxResult} characters: ask for a part of it`);
  }
  const text = JSON.stringify(value);
  if (text.length < LARGE) return { kind: "done", value };
  const parts = partsOf(value);
  if (parts <= MOST_PARTS) return { kind: "json", text };
  throw new JobRefused(
    `the result has ${parts} lists and objects, at most ${MOST_PARTS} are given: ask for a part of it`,
  );
}

/** Lists and objects in a value, with itself. */
function partsOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + partsOf(item), 1);
}
