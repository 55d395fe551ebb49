/** Keeps processes warm: as many as use asks for, never more than allowed. */

import type { Log } from "./log.ts";
import type { SandboxProcess } from "./process.ts";

export interface PoolOptions {
  readonly start: () => SandboxProcess;
  /** Current maximum of warm processes. */
  readonly most: () => number;
  readonly log: Log;
}

/** After a lease, before the next process is started, unless the run has ended by then: until it has
 * it needs the processor more. */
const DURING_RUN_MS = 200;
/** After a run that took the last one: its reply goes out first. */
const AFTER_RUN_MS = 5;
/** After a run, while others are warm: runs often come several at a time, and a process that starts
 * among them holds them up. */
const QUIET_MS = 30;
/** After the preloaded module changed for the last time: it often changes again at once. */
const REFRESH_MS = 100;
/** Processes that start at the same time; more would hold up each other. */
const STARTING_AT_ONCE = 2;
/** Of the warm processes that nobody wanted for so long half are too many. */
const SHRINK_MS = 60_000;
/** As many stay once there was a run: it is often followed by the next at once. */
const LEAST = 2;
const FIRST_BACK_OFF_MS = 200;
const LONGEST_BACK_OFF_MS = 30_000;

export class Pool {
  readonly #options: PoolOptions;
  readonly #starting = new Set<SandboxProcess>();
  readonly #warm: SandboxProcess[] = [];
  readonly #shrinking: ReturnType<typeof setInterval>;
  #wanted: number;
  /** The fewest that were warm since it was last looked whether they are too many. */
  #spare = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    // The first one alone: a run may wait for it already.
    this.#wanted = Math.min(1, options.most());
    this.#shrinking = setInterval(() => this.#shrink(), SHRINK_MS);
    Deno.unrefTimer(Number(this.#shrinking));
    this.#refill(0);
  }

  /** Processes that a run could have at once. */
  get warm(): number {
    return this.#warm.length;
  }

  /** A warm process, else the one that has been starting longest, else a new one. */
  take(): SandboxProcess {
    const ready = this.#warm.shift();
    this.#spare = Math.min(this.#spare, this.#warm.length);
    if (!ready) this.#wanted = Math.min(this.#options.most(), this.#wanted + 1);
    const [oldest] = this.#starting;
    if (!ready && oldest) this.#starting.delete(oldest);
    if (this.#warm.length > 0) this.#cancel();
    this.#refill(DURING_RUN_MS);
    return ready ?? oldest ?? this.#options.start();
  }

  /** A run has ended, which leaves room to start what is missing. */
  ended(): void {
    this.#wanted = Math.min(this.#options.most(), Math.max(LEAST, this.#wanted));
    this.#refill(this.#warm.length > 0 ? QUIET_MS : AFTER_RUN_MS);
  }

  /** Ends the processes that are out of date, and starts others when this was the last change, as
   * many as use asked for and are allowed now. */
  refresh(isCurrent: (process: SandboxProcess) => boolean): void {
    this.#wanted = Math.min(this.#options.most(), Math.max(1, this.#wanted));
    const held = [...this.#warm.splice(0), ...this.#starting];
    this.#starting.clear();
    for (const process of held) {
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
    return Math.min(free, this.#wanted - this.#warm.length - this.#starting.size);
  }

  /** Starts what is missing, after `delay` milliseconds or earlier. */
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
    while (this.#missing > 0) this.#startOne();
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

  /** A process that never got ready; one that was taken or replaced is no failure of the pool. */
  #onFailure(process: SandboxProcess, error: unknown): void {
    if (!this.#starting.delete(process)) return;
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
    if (this.#wanted > LEAST) {
      this.#wanted = Math.max(LEAST, this.#wanted - Math.ceil(this.#spare / 2));
      while (this.#warm.length > this.#wanted) this.#warm.pop()?.kill();
    }
    this.#spare = this.#warm.length;
  }
}
