/** Processes for work that may take long or never end, or fill the memory. Each job has a deadline and
 * each process a memory limit, so no input can block or end the gateway. */

import { createSemaphore, LARGE, parseLarge, type Semaphore } from "#base";
import type { Job } from "./protocol.ts";
import { type JobOptions as ProcessJobOptions, JobProcess, type JobResult } from "./process.ts";

export interface JobWorkersOptions {
  /** The worker's file, `new URL("./worker.ts", import.meta.url)`. */
  readonly module: URL;
  /** Time limit of a job that sets none, in milliseconds. */
  readonly timeoutMs: number;
  /** Way out for a job that exceeds its time limit: `use a simpler pattern`. */
  readonly advice?: string;
  /** True for jobs that read files (false). */
  readonly readsFiles?: boolean;
  /** Maximum number of processes (3). */
  readonly count?: number;
  /** Heap limit of a process (256). */
  readonly memoryMb?: number;
  /** Characters of a result as JSON (8,388,608): the gateway has several results at once. */
  readonly maxResult?: number;
  /** Idle time after which a process is ended (60,000). */
  readonly idleMs?: number;
}

export interface JobOptions extends Omit<ProcessJobOptions, "timeoutMs"> {
  readonly timeoutMs?: number;
  /** Run that the job belongs to: it leaves a process to the others. */
  readonly run: string | undefined;
}

export interface JobWorkers extends AsyncDisposable {
  /** Runs one job. Throws `PackError`. The time limit begins when a process is ready. */
  run<T>(job: Job, options: JobOptions): Promise<T>;
}

/** Processes of a pack, and those that jobs of one run have: others have one left. */
const MOST_PROCESSES = 3;
const MOST_OF_RUN = 2;

type Settings = JobWorkersOptions & Required<Omit<JobWorkersOptions, "advice" | "readsFiles">>;

/** Makes the workers of one pack. Processes start with the first job. */
export function createJobWorkers(options: JobWorkersOptions): JobWorkers {
  return new Workers(options);
}

/** Makes places for the calls of a pack of which each is a job. */
export function createJobPlaces(): Semaphore {
  return createSemaphore(MOST_PROCESSES, MOST_OF_RUN);
}

class Workers implements JobWorkers {
  readonly #options: Settings;
  readonly #idle = new Set<JobProcess>();
  readonly #all = new Set<JobProcess>();
  readonly #places: Semaphore;
  /** Large results are read one after the other. */
  readonly #reading = createSemaphore(1, 1);

  constructor(options: JobWorkersOptions) {
    this.#options = {
      count: MOST_PROCESSES,
      memoryMb: 256,
      maxResult: 2 ** 23,
      idleMs: 60_000,
      ...options,
    };
    const { count } = this.#options;
    this.#places = createSemaphore(count, Math.max(1, count - 1));
  }

  async run<T>(job: Job, options: JobOptions): Promise<T> {
    const result = await this.#perform(job, options);
    return (result.kind === "json" ? await this.#read(result.text, options) : result.value) as T;
  }

  async #read(text: string, { signal, run }: JobOptions): Promise<unknown> {
    if (text.length < LARGE) return JSON.parse(text);
    signal.throwIfAborted();
    const release = await this.#reading.acquire(signal, run);
    try {
      return await parseLarge(text);
    } finally {
      release();
    }
  }

  async #perform(job: Job, options: JobOptions): Promise<JobResult> {
    const { timeoutMs, advice } = this.#options;
    options.signal.throwIfAborted();
    using _place = await this.#places.acquire(options.signal, options.run);
    const worker = this.#take();
    try {
      return await worker.run(job, { timeoutMs, advice, ...options });
    } finally {
      if (worker.isAlive) this.#park(worker);
      else this.#all.delete(worker);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#all].map((worker) => worker[Symbol.asyncDispose]()));
    this.#all.clear();
    this.#idle.clear();
  }

  #take(): JobProcess {
    for (const parked of this.#idle) {
      this.#idle.delete(parked);
      parked.wake();
      if (parked.isAlive) return parked;
      this.#all.delete(parked);
    }
    const worker = new JobProcess(this.#options);
    this.#all.add(worker);
    return worker;
  }

  #park(worker: JobProcess): void {
    this.#idle.add(worker);
    worker.rest(this.#options.idleMs, () => {
      this.#idle.delete(worker);
      this.#all.delete(worker);
    });
  }
}
