/** Work that might take long or never end, in threads of its own: each job within a deadline, each
 * thread within a bound of memory, so that no input can hold up or end the gateway. */

import { Worker } from "node:worker_threads";
import { PackError } from "../../errors.ts";
import type { Job, JobAnswer, SentJob } from "./job_protocol.ts";

/** After its time, when nobody waits any more, a job ends itself. */
const GIVE_UP_MS = 250;
/** What loading a worker may take beside the job, on a machine that has other things to do. */
const LOAD_MS = 60_000;

export interface JobWorkersOptions {
  /** The worker's file, `new URL("./worker.ts", import.meta.url)`. */
  readonly module: URL;
  /** How many at the same time (2). */
  readonly count?: number;
  /** The heap of one (256). */
  readonly memoryMb?: number;
  /** A worker that had nothing to do for this long is ended (60,000). */
  readonly idleMs?: number;
}

export interface JobOptions {
  /** What the error calls the work: `evaluate the pattern`. */
  readonly what: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** What to do about a job that took too long. */
  readonly advice?: string;
}

export interface JobWorkers extends AsyncDisposable {
  /** Does one job; throws `PackError`. The time it waited for a worker does not count. */
  run(job: Job, options: JobOptions): Promise<unknown>;
}

/** Makes the workers of one pack; none is started before the first job. */
export function createJobWorkers(options: JobWorkersOptions): JobWorkers {
  return new Workers(options);
}

class Workers implements JobWorkers {
  readonly #options: Required<JobWorkersOptions>;
  readonly #idle = new Set<Thread>();
  readonly #all = new Set<Thread>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: JobWorkersOptions) {
    this.#options = { count: 2, memoryMb: 256, idleMs: 60_000, ...options };
  }

  async run(job: Job, options: JobOptions): Promise<unknown> {
    await this.#turn(options.signal);
    const thread = this.#take();
    try {
      return await thread.run(job, options);
    } finally {
      if (thread.alive) this.#park(thread);
      else this.#all.delete(thread);
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.end()));
    this.#all.clear();
    this.#idle.clear();
  }

  /** Resolves when a worker is free, or may be started. */
  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.#options.count) return void this.#running++;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      this.#running++;
      resolve();
    };
    const leave = () => {
      const at = this.#waiting.indexOf(begin);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(signal.reason);
    };
    this.#waiting.push(begin);
    signal.addEventListener("abort", leave, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", leave));
  }

  #take(): Thread {
    const [parked] = this.#idle;
    if (parked) {
      this.#idle.delete(parked);
      parked.wake();
      return parked;
    }
    const thread = new Thread(this.#options);
    this.#all.add(thread);
    return thread;
  }

  #park(thread: Thread): void {
    this.#idle.add(thread);
    thread.rest(this.#options.idleMs, () => {
      this.#idle.delete(thread);
      this.#all.delete(thread);
    });
  }
}

/** One worker, which does one job at a time. */
class Thread {
  readonly #worker: Worker;
  readonly #memoryMb: number;
  readonly #ready = Promise.withResolvers<void>();
  #job: PromiseWithResolvers<JobAnswer> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failure: "memory" | "other" | undefined;
  alive = true;

  constructor({ module, memoryMb }: Required<JobWorkersOptions>) {
    this.#memoryMb = memoryMb;
    this.#worker = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      env: {},
    });
    this.#ready.promise.catch(() => {});
    this.#worker.on("message", (answer: JobAnswer) => {
      if (answer.kind === "ready") this.#ready.resolve();
      else this.#job?.resolve(answer);
    });
    this.#worker.on("error", (error: Error & { code?: string }) => {
      this.#failure = error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "other";
      this.#fail(error);
    });
    this.#worker.on("exit", () => this.#fail(new Error("The worker has ended")));
  }

  async run(job: Job, { what, signal, timeoutMs, advice }: JobOptions): Promise<unknown> {
    const began = Promise.withResolvers<JobAnswer>();
    this.#job = began;
    const failed = (code: "timeout" | "cancelled", why: string) =>
      began.reject(new PackError(code, `Cannot ${what}: ${why}`));
    const tooSlow = () => failed("timeout", slow(timeoutMs, advice));
    const cancel = () => failed("cancelled", "the run has ended");
    signal.addEventListener("abort", cancel, { once: true });
    let timer = setTimeout(tooSlow, timeoutMs + LOAD_MS);
    try {
      await Promise.race([this.#ready.promise, began.promise]);
      clearTimeout(timer);
      timer = setTimeout(tooSlow, timeoutMs);
      const sent: SentJob = { ...job, timeoutMs: timeoutMs + GIVE_UP_MS };
      this.#worker.postMessage(sent);
      return take(await began.promise, what);
    } catch (error) {
      if (error instanceof PackError && error.code === "tool_error") throw error;
      await this.end();
      throw error instanceof PackError ? error : this.#broken(error, what);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      this.#job = undefined;
    }
  }

  /** Waits for more to do; ends after a while, or with the process. */
  rest(idleMs: number, onEnd: () => void): void {
    this.#worker.unref();
    const timer = setTimeout(() => {
      onEnd();
      void this.end();
    }, idleMs);
    Deno.unrefTimer(timer);
    this.#timer = timer;
  }

  wake(): void {
    clearTimeout(this.#timer);
    this.#worker.ref();
  }

  async end(): Promise<void> {
    this.alive = false;
    clearTimeout(this.#timer);
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.alive = false;
    this.#ready.reject(error);
    this.#job?.reject(error);
  }

  #broken(error: unknown, what: string): PackError {
    if (this.#failure === "memory") {
      const room = `it took more than ${this.#memoryMb} MB of memory: give it less at once`;
      return new PackError("too_large", `Cannot ${what}: ${room}`, { cause: error });
    }
    return new PackError("internal", `Cannot ${what}: its worker has ended`, {
      cause: error,
      retryable: true,
    });
  }
}

function take(answer: JobAnswer, what: string): unknown {
  if (answer.kind === "done") return answer.value;
  if (answer.kind === "ready") return undefined;
  throw new PackError("tool_error", `Cannot ${what}: ${answer.message}`);
}

function slow(timeoutMs: number, advice: string | undefined): string {
  const limit = `it took longer than ${timeoutMs / 1_000} s`;
  return advice === undefined ? limit : `${limit}: ${advice}`;
}
