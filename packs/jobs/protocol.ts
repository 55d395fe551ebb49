/** Messages between a pack and its worker, and the worker's side of the protocol. */

import { LARGE } from "#base";
import { bounded, isTimeout } from "#base/bounded";
import { type Frame, FrameReader, toFrame } from "./frames.ts";

/** Lists and objects that one result may have: each takes up to a hundred bytes in the gateway. */
const MOST_PARTS = 1_000_000;
/** Bytes that are read at once. */
const CHUNK = 65_536;

/** One piece of work. */
export interface Job {
  readonly kind: string;
  /** JSON. */
  readonly input: unknown;
}

/** A job as it is sent to the worker. */
export interface JobMessage extends Job {
  /** Time limit that the worker itself holds, in milliseconds. */
  readonly timeoutMs: number;
  /** Characters of the result as JSON. */
  readonly maxResult: number;
  /** The bytes of the message are part of the input, as `bytes`. */
  readonly hasBytes: boolean;
}

/** Message of a worker: it takes jobs, or the outcome of one. */
export type JobAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly value?: string | number | boolean | null }
  /** The bytes of the message are the result: a large text, or a list or an object as JSON. */
  | { readonly kind: "text" | "json" }
  /** The worker gave it up. */
  | { readonly kind: "late" }
  /** The input is wrong. The message is for the agent. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };

/** Thrown when the input of a job cannot be used. The message has the reason and the way out. */
export class JobRefused extends Error {
  override readonly name = "JobRefused";
}

/** Result of a job as JSON, never a promise. */
type Settled = string | number | boolean | null | undefined | (object & { readonly then?: never });

/** Handlers of a worker, by kind of job. A handler that must load something, or read files, returns
 * a promise of a function. The handler and that function are stopped at the time limit. Code after
 * an `await` is not stopped while it computes: for that, the gateway ends the process. */
export type JobTable = {
  readonly [kind: string]: (input: never) => Settled | Promise<() => Settled>;
};

/** Runs the jobs that come over stdin, one at a time, until it ends. Called once, by the worker's
 * file. */
export async function serveJobs(table: JobTable): Promise<void> {
  const buffer = new Uint8Array(CHUNK);
  const frames = new FrameReader({
    // The process has nothing to do meanwhile, and a stream takes longer.
    read() {
      const length = Deno.stdin.readSync(buffer);
      return length === null ? undefined : buffer.subarray(0, length);
    },
  });
  send({ kind: "ready" });
  for (let frame = await frames.next(); frame; frame = await frames.next()) {
    const { answer, text } = await perform(table, frame);
    send(answer, text);
  }
}

/** An answer, and the text that its bytes are. */
interface Outcome {
  readonly answer: JobAnswer;
  readonly text?: string;
}

function send(answer: JobAnswer, text = ""): void {
  for (const piece of toFrame(answer, new TextEncoder().encode(text))) {
    for (let sent = 0; sent < piece.length;) sent += Deno.stdout.writeSync(piece.subarray(sent));
  }
}

async function perform(table: JobTable, { head, bytes }: Frame): Promise<Outcome> {
  const { kind, input, timeoutMs, maxResult, hasBytes } = head as JobMessage;
  const timer = setTimeout(giveUp, timeoutMs);
  try {
    const work = table[kind];
    if (!work) throw new TypeError("no such job");
    const whole = hasBytes ? { ...input as object, bytes: bytes.buffer } : input;
    const result = await bounded(() => work(whole as never), timeoutMs);
    const value = typeof result === "function" ? bounded(() => result(), timeoutMs) : result;
    return written(value, maxResult);
  } catch (error) {
    return { answer: refused(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the process, for a job that waits too long: the gateway may have ended. */
function giveUp(): void {
  try {
    send({ kind: "late" });
  } finally {
    Deno.exit();
  }
}

function refused(error: unknown): JobAnswer {
  if (isTimeout(error)) return { kind: "late" };
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

function written(value: Settled, maxResult: number): Outcome {
  if (typeof value === "string" && value.length >= LARGE) {
    return { answer: { kind: "text" }, text: value };
  }
  if (typeof value !== "object" || value === null) return { answer: { kind: "done", value } };
  const text = JSON.stringify(value);
  if (text.length > maxResult) {
    throw new JobRefused(`the result has over ${maxResult} characters: ask for a part of it`);
  }
  const parts = text.length < LARGE ? 0 : partsOf(value);
  if (parts <= MOST_PARTS) return { answer: { kind: "json" }, text };
  throw new JobRefused(
    `the result has ${parts} lists and objects, at most ${MOST_PARTS} are given: ask for a part of it`,
  );
}

/** Lists and objects in a value, with itself. */
function partsOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + partsOf(item), 1);
}
