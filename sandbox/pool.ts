/** Keeps processes warm: as many as recent runs needed, up to a maximum. */

import type { Log } from "#base";
import type { SandboxProcess } from "./process/process.ts";

export interface PoolOptions {
  readonly start: () => SandboxProcess;
  /** Current maximum of warm processes. */
  readonly most: () => number;
  readonly log: Log;
}

/** Delay between a lease and the start of the next process. A run that ends within it has had the
 * processor to itself. */
const DURING_RUN_MS = 200;
/** Delay after a run that used the last warm process: its reply is sent first. */
const AFTER_RUN_MS = 5;
/** Delay after a run while other processes are warm: runs come in bursts, and a process that starts
 * in a burst delays it. */
const QUIET_MS = 30;
/** Delay after a change of the preloaded module: it often changes several times in a row. */
const REFRESH_MS = 100;
/** Processes that start at the same time; more would delay each other. */
const STARTING_AT_ONCE = 2;
/** Interval at which the warm processes are stopped that no run needed since the last one. */
const SHRINK_MS = 10_000;
/** Minimum pool size after the first run: an agent thinks for longer than a process takes to start. */
const LEAST = 2;
const FIRST_BACK_OFF_MS = 200;
const LONGEST_BACK_OFF_MS = 30_000;

export class Pool {
  readonly #options: PoolOptions;
  readonly #starting = new Set<SandboxProcess>();
  readonly #warm: SandboxProcess[] = [];
  readonly #shrinking: ReturnType<typeof setInterval>;
  #size: number;
  /** Lowest number of warm processes since the pool last shrank. */
  #spare = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    // One alone at first: a run may be waiting for it.
    this.#size = Math.min(1, options.most());
    this.#shrinking = setInterval(() => this.#shrink(), SHRINK_MS);
    Deno.unrefTimer(Number(this.#shrinking));
    this.#refill(0);
  }

  /** Number of processes that are ready for a run. */
  get warm(): number {
    return this.#warm.length;
  }

  /** Returns a warm process, else the one that has been starting longest, else a new one. */
  acquire(): SandboxProcess {
    const ready = this.#warm.shift();
    this.#spare = Math.min(this.#spare, this.#warm.length);
    if (!ready) this.#size = Math.min(this.#options.most(), this.#size + 1);
    const [oldest] = this.#starting;
    if (!ready && oldest) this.#starting.delete(oldest);
    if (this.#warm.length > 0) this.#cancel();
    this.#refill(DURING_RUN_MS);
    return ready ?? oldest ?? this.#options.start();
  }

  /** Starts missing processes after the end of a run. */
  onRunEnd(): void {
    this.#size = Math.min(this.#options.most(), Math.max(LEAST, this.#size));
    this.#refill(this.#warm.length > 0 ? QUIET_MS : AFTER_RUN_MS);
  }

  /** Kills the processes that are out of date, and starts others once no further change follows. */
  refresh(isCurrent: (process: SandboxProcess) => boolean): void {
    this.#size = Math.min(this.#options.most(), Math.max(1, this.#size));
    const processes = [...this.#warm.splice(0), ...this.#starting];
    this.#starting.clear();
    for (const process of processes) {
      if (isCurrent(process)) this.#starting.add(process);
      else process.kill();
    }
    this.#cancel();
    this.#refill(REFRESH_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    clearInterval(this.#shrinking);
    this.#warm.length = 0;
    this.#starting.clear();
  }

  get #missing(): number {
    if (this.#isClosed) return 0;
    const free = STARTING_AT_ONCE - this.#starting.size;
    return Math.min(free, this.#size - this.#warm.length - this.#starting.size);
  }

  /** Starts missing processes, after `delay` milliseconds at the latest, or after the back-off. */
  #refill(delay: number): void {
    if (this.#missing <= 0) return;
    const due = performance.now() + Math.max(delay, this.#backOff());
    if (this.#due <= due) return;
    this.#cancel();
    this.#due = due;
    this.#timer = setTimeout(() => this.#startMissing(), Math.max(0, due - performance.now()));
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#due = Infinity;
  }

  #backOff(): number {
    if (this.#failures === 0) return 0;
    return Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** this.#failures);
  }

  #startMissing(): void {
    this.#due = Infinity;
    try {
      while (this.#missing > 0) this.#startOne();
    } catch (error) {
      // The system is short of files, memory or room on a disk.
      this.#retryLater(error);
    }
  }

  #startOne(): void {
    const process = this.#options.start();
    this.#starting.add(process);
    process.ready.then(() => {
      this.#failures = 0;
      if (this.#starting.delete(process)) this.#warm.push(process);
      this.#refill(this.#warm.length > 0 ? QUIET_MS : 0);
    }, (error) => this.#onFailure(process, error));
    process.dead.then(() => this.#drop(process));
  }

  /** Counts a process that did not become ready, unless it was acquired or replaced. */
  #onFailure(process: SandboxProcess, error: unknown): void {
    if (this.#starting.delete(process)) this.#retryLater(error);
  }

  #retryLater(error: unknown): void {
    this.#failures++;
    this.#options.log("warning", "A sandbox process did not start", { error: String(error) });
    this.#refill(0);
  }

  #drop(process: SandboxProcess): void {
    const at = this.#warm.indexOf(process);
    if (at === -1) return;
    this.#warm.splice(at, 1);
    this.#refill(FIRST_BACK_OFF_MS);
  }

  #shrink(): void {
    if (this.#size > LEAST) {
      this.#size = Math.max(LEAST, this.#size - this.#spare);
      while (this.#warm.length > this.#size) this.#warm.pop()?.kill();
    }
    this.#spare = this.#warm.length;
  }
}
