/** Deadline that can be paused while a question to a person is open. */

/** Calls `ring` once, when its time is over. */
export class Clock implements Disposable {
  readonly #ring: () => void;
  #remainingMs: number | undefined;
  #startedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauses = 0;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  start(ms: number): void {
    this.#remainingMs = ms;
    if (this.#pauses === 0) this.#arm(ms);
  }

  /** Stops the time until the returned function is called; pauses may overlap. */
  pause(): () => void {
    this.#pauses++;
    this.#disarm();
    let resumed = false;
    return () => {
      if (resumed) return;
      resumed = true;
      this.#pauses--;
      if (this.#pauses === 0 && this.#remainingMs !== undefined) this.#arm(this.#remainingMs);
    };
  }

  [Symbol.dispose](): void {
    this.#disarm();
    this.#remainingMs = undefined;
  }

  #arm(ms: number): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#ring, Math.max(0, ms));
  }

  #disarm(): void {
    if (this.#timer === undefined || this.#remainingMs === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#remainingMs -= performance.now() - this.#startedAt;
  }
}
