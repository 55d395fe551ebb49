/** Threads for work that may take long or never end. Each job has a deadline and each thread a
 * memory limit, so no input can block or crash the gateway. */

import { createSemaphore, parseLarge, type Semaphore } from "#base";
import { Worker } from "node:worker_threads";
import { PackError } from "../../errors.ts";
import type { Job, JobAnswer, JobMessage } from "./job_protocol.ts";

/** Time after the deadline at which the worker abandons the job itself. */
const GIVE_UP_MS = 250;
/** Time limit for loading a worker, which a busy machine makes slow. */
const LOAD_MS = 60_000;

export interface JobWorkersOptions {
  /** The worker's file, `new URL("./worker.ts", import.meta.url)`. */
  readonly module: URL;
  /** Time limit of a job that sets none, in milliseconds. */
  readonly timeoutMs: number;
  /** Way out for a job that exceeds its time limit: `use a simpler pattern`. */
  readonly advice?: string;
  /** Maximum number of threads (2). */
  readonly count?: number;
  /** Heap limit of a thread (256). */
  readonly memoryMb?: number;
  /** Characters of a result as JSON, about (67,108,864). */
  readonly maxResult?: number;
  /** Idle time after which a thread is stopped (60,000). */
  readonly idleMs?: number;
}

export interface JobOptions {
  /** The work, for errors: `evaluate the pattern`. */
  readonly what: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly advice?: string;
  /** Bytes of the input that move to the thread; others are copied. */
  readonly moved?: readonly ArrayBuffer[];
}

export interface JobWorkers extends AsyncDisposable {
  /** Runs one job. Throws `PackError`. The time limit begins when a thread is ready. */
  run<T>(job: Job, options: JobOptions): Promise<T>;
}

type Result = Extract<JobAnswer, { readonly kind: "done" | "json" }>;

type Settings = JobWorkersOptions & Required<Omit<JobWorkersOptions, "advice">>;

/** Makes the workers of one pack. Threads start with the first job. */
export function createJobWorkers(options: JobWorkersOptions): JobWorkers {
  return new Workers(options);
}

class Workers implements JobWorkers {
  readonly #options: Settings;
  readonly #idle = new Set<Thread>();
  readonly #all = new Set<Thread>();
  readonly #places: Semaphore;
  /** Large results are read one after the other. */
  readonly #reading = createSemaphore(1);

  constructor(options: JobWorkersOptions) {
    this.#options = { count: 2, memoryMb: 256, maxResult: 2 ** 26, idleMs: 60_000, ...options };
    this.#places = createSemaphore(this.#options.count);
  }

  async run<T>(job: Job, options: JobOptions): Promise<T> {
    const answer = await this.#answer(job, options);
    return (answer.kind === "done" ? answer.value : await this.#read(answer.text, options)) as T;
  }

  async #read(text: string, { signal }: JobOptions): Promise<unknown> {
    signal.throwIfAborted();
    const release = await this.#reading.acquire(signal);
    try {
      return await parseLarge(text);
    } finally {
      release();
    }
  }

  async #answer(job: Job, options: JobOptions): Promise<Result> {
    const { timeoutMs, advice } = this.#options;
    options.signal.throwIfAborted();
    const release = await this.#places.acquire(options.signal);
    const thread = this.#take();
    try {
      return await thread.run(job, { timeoutMs, advice, ...options });
    } finally {
      if (thread.alive) this.#park(thread);
      else this.#all.delete(thread);
      release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.end()));
    this.#all.clear();
    this.#idle.clear();
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

/** One worker thread. It runs one job at a time. */
class Thread {
  readonly #worker: Worker;
  readonly #memoryMb: number;
  readonly #maxResult: number;
  readonly #ready = Promise.withResolvers<void>();
  #job: PromiseWithResolvers<JobAnswer> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failure: "memory" | "other" | undefined;
  alive = true;

  constructor({ module, memoryMb, maxResult }: Settings) {
    this.#memoryMb = memoryMb;
    this.#maxResult = maxResult;
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

  async run(
    job: Job,
    { what, signal, timeoutMs, advice, moved }: JobOptions & { readonly timeoutMs: number },
  ): Promise<Result> {
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
      const sent: JobMessage = {
        ...job,
        timeoutMs: timeoutMs + GIVE_UP_MS,
        maxResult: this.#maxResult,
      };
      // With a list, even an empty one, a message takes twice as long.
      if (moved) this.#worker.postMessage(sent, moved);
      else this.#worker.postMessage(sent);
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

  /** Ends after `idleMs` without a job, or with the process. */
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

function take(answer: JobAnswer, what: string): Result {
  if (answer.kind === "done" || answer.kind === "json") return answer;
  if (answer.kind === "ready") return { kind: "done", value: undefined };
  throw new PackError("tool_error", `Cannot ${what}: ${answer.message}`);
}

function slow(timeoutMs: number, advice: string | undefined): string {
  const limit = `it took longer than ${timeoutMs / 1_000} s`;
  return advice === undefined ? limit : `${limit}: ${advice}`;
}
