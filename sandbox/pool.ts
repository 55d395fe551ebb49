/** Keeps processes warm: as many as use asks for, never more than allowed. */

import type { Log } from "./log.ts";
import type { SandboxProcess } from "./process.ts";

export interface PoolOptions {
  readonly start: () => SandboxProcess;
  /** The most that are kept warm. */
  readonly most: number;
  readonly log: Log;
}

/** After a lease, before the next process is started: the run under way needs the processor. */
const REFILL_MS = 30;
/** After the preloaded module changed: it often changes again at once. */
const REFRESH_MS = 100;
/** A warm process that nobody wanted for so long was one too many. */
const SHRINK_MS = 60_000;
const FIRST_BACK_OFF_MS = 200;
const LONGEST_BACK_OFF_MS = 30_000;

export class Pool {
  readonly #options: PoolOptions;
  readonly #warm: SandboxProcess[] = [];
  readonly #shrinking: ReturnType<typeof setInterval>;
  #wanted: number;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#wanted = Math.min(1, options.most);
    this.#shrinking = setInterval(() => this.#shrink(), SHRINK_MS);
    Deno.unrefTimer(Number(this.#shrinking));
    this.refill(0);
  }

  get warm(): number {
    return this.#warm.length;
  }

  /** The process that has been warming longest, or a new one when there is none. */
  take(): SandboxProcess {
    const process = this.#warm.shift();
    if (!process) this.#wanted = Math.min(this.#options.most, this.#wanted + 1);
    this.refill(REFILL_MS);
    return process ?? this.#options.start();
  }

  /** Starts what is missing, after `delay` milliseconds. */
  refill(delay: number): void {
    if (this.#isClosed || this.#warm.length >= this.#wanted) return;
    const due = performance.now() + Math.max(delay, this.#backOff());
    if (this.#timer !== undefined && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#startOne(), Math.max(0, due - performance.now()));
  }

  /** Ends every warm process and starts others. */
  refresh(): void {
    for (const process of this.#warm.splice(0)) process.kill();
    this.refill(REFRESH_MS);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#shrinking);
    this.#warm.length = 0;
  }

  #backOff(): number {
    if (this.#failures === 0) return 0;
    return Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** this.#failures);
  }

  #startOne(): void {
    this.#timer = undefined;
    if (this.#isClosed || this.#warm.length >= this.#wanted) return;
    const process = this.#options.start();
    this.#warm.push(process);
    process.ready.then(() => {
      this.#failures = 0;
      this.refill(0);
    }, (error) => this.#onFailure(process, error));
    process.dead.then(() => this.#drop(process));
  }

  /** A process that never got ready; one that was taken or replaced is no failure of the pool. */
  #onFailure(process: SandboxProcess, error: unknown): void {
    if (!this.#warm.includes(process)) return;
    this.#failures++;
    this.#options.log("warning", "A sandbox process did not start", { error: String(error) });
    this.#drop(process);
  }

  #drop(process: SandboxProcess): void {
    const at = this.#warm.indexOf(process);
    if (at === -1) return;
    this.#warm.splice(at, 1);
    this.refill(FIRST_BACK_OFF_MS);
  }

  #shrink(): void {
    if (this.#wanted <= 1) return;
    this.#wanted--;
    if (this.#warm.length > this.#wanted) this.#warm.pop()?.kill();
  }
}
