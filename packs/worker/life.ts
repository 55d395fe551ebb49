/** The life of a pack's process: started by its first call, shared, ended when idle, started again
 * after a crash (WRK-01 to WRK-04). */

import { abortable, pause } from "../mcp/abortable.ts";
import type { WorkerProcess } from "./worker_process.ts";

export interface LifeDeps {
  /** Starts a process and has it load the pack. */
  readonly open: (signal: AbortSignal) => Promise<WorkerProcess>;
  /** Called when `state` may answer differently. */
  readonly onChange: () => void;
  /** One that nobody called for so long is ended. */
  readonly idleMs: number;
  readonly onCrash: (reason: string, worker: WorkerProcess) => void;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;

export class WorkerLife implements AsyncDisposable {
  readonly #deps: LifeDeps;
  readonly #end = new AbortController();
  /** Those that live, with how many calls each has. */
  readonly #users = new Map<WorkerProcess, number>();
  readonly #leaving = new Set<Promise<void>>();
  #worker: WorkerProcess | undefined;
  #attempt: Promise<WorkerProcess> | undefined;
  #failures = 0;
  #failedAt = 0;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: LifeDeps) {
    this.#deps = deps;
  }

  get state(): "connecting" | "connected" | "idle" {
    if (this.#worker) return "connected";
    return this.#attempt ? "connecting" : "idle";
  }

  /** The process, started if there is none. All who wait share one start; one who gives up does not
   * end it. Between `acquire` and `release` it does not count as idle. */
  async acquire(signal: AbortSignal): Promise<WorkerProcess> {
    const worker = this.#worker ?? await abortable(this.#share(), signal);
    clearTimeout(this.#idleTimer);
    this.#users.set(worker, (this.#users.get(worker) ?? 0) + 1);
    return worker;
  }

  release(worker: WorkerProcess): void {
    const left = (this.#users.get(worker) ?? 1) - 1;
    this.#users.set(worker, left);
    if (left > 0) return;
    if (this.#worker === worker) this.#watchIdle();
    else this.#let(worker, "it was replaced");
  }

  /** A call came to a good end: the next crash is waited for briefly again. */
  sound(): void {
    this.#failures = 0;
  }

  /** Lets no new call to it; it ends with the last of those that it has. */
  retire(worker: WorkerProcess | undefined = this.#worker): void {
    if (!worker || this.#worker !== worker) return;
    this.#worker = undefined;
    clearTimeout(this.#idleTimer);
    if ((this.#users.get(worker) ?? 0) === 0) this.#let(worker, "it was replaced");
    this.#deps.onChange();
  }

  /** Ends it now unless somebody calls it: it was only to say what it has. */
  rest(): void {
    const worker = this.#worker;
    if (worker && (this.#users.get(worker) ?? 0) === 0) this.retire(worker);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#idleTimer);
    this.#worker = undefined;
    for (const worker of this.#users.keys()) this.#let(worker, "the gateway is ending");
    await this.#attempt?.catch(() => {}); // who waited for it was told
    await Promise.all(this.#leaving);
  }

  #share(): Promise<WorkerProcess> {
    return this.#attempt ??= this.#start().finally(() => {
      this.#attempt = undefined;
      this.#deps.onChange();
    });
  }

  async #start(): Promise<WorkerProcess> {
    this.#deps.onChange();
    const due = this.#failedAt + this.#delay() - performance.now();
    if (this.#failures > 1 && due > 0) await pause(due, this.#end.signal);
    this.#end.signal.throwIfAborted();
    try {
      const worker = await this.#deps.open(this.#end.signal);
      if (this.#end.signal.aborted) await worker.end("the gateway is ending");
      this.#end.signal.throwIfAborted();
      this.#worker = worker;
      this.#users.set(worker, 0);
      void this.#follow(worker);
      this.#watchIdle();
      return worker;
    } catch (error) {
      this.#failed();
      throw error;
    }
  }

  #delay(): number {
    return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, this.#failures - 1));
  }

  #failed(): void {
    this.#failures++;
    this.#failedAt = performance.now();
  }

  async #follow(worker: WorkerProcess): Promise<void> {
    const reason = await worker.ended;
    this.#users.delete(worker);
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    clearTimeout(this.#idleTimer);
    this.#failed();
    this.#deps.onCrash(reason, worker);
    this.#deps.onChange();
  }

  #let(worker: WorkerProcess, reason: string): void {
    const gone = worker.end(reason).finally(() => {
      this.#leaving.delete(gone);
      this.#users.delete(worker);
    });
    this.#leaving.add(gone);
  }

  #watchIdle(): void {
    clearTimeout(this.#idleTimer);
    const timer = setTimeout(() => this.rest(), this.#deps.idleMs);
    Deno.unrefTimer(timer);
    this.#idleTimer = timer;
  }
}
