/** Life of a shared resource (a connection, a pack's process): made at first use, ended when idle,
 * made again after a loss. */

import { abortable } from "#base";

export interface LifelineDeps<T> {
  /** Makes the resource. May wait for `dueMs` first. */
  readonly open: (signal: AbortSignal) => Promise<T>;
  /** Ends the resource. Called at most once for each. */
  readonly close: (resource: T, reason: string) => Promise<void>;
  /** Resolves with the reason when the resource has ended, by itself or by `close`. */
  readonly ended: (resource: T) => Promise<string>;
  /** Called after every change of `state`. */
  readonly onChange: () => void;
  /** A resource without users is ended after this; undefined for never. */
  readonly idleMs?: number;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
}

type Timer = ReturnType<typeof setTimeout>;

export type LifelineState<T> =
  /** Nothing has been tried yet. */
  | { readonly kind: "new" }
  | { readonly kind: "connecting"; readonly attempt: Promise<T>; users: number }
  | { readonly kind: "connected"; readonly resource: T; readonly since: number; timer?: Timer }
  /** The resource was ended because it was unused or replaced. */
  | { readonly kind: "idle" }
  /** The last attempt failed. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** The resource ended by itself or was dropped. */
  | { readonly kind: "lost"; readonly resource: T; readonly reason: string }
  | { readonly kind: "ended"; readonly done: Promise<void> };

type Connecting<T> = Extract<LifelineState<T>, { kind: "connecting" }>;
type Connected<T> = Extract<LifelineState<T>, { kind: "connected" }>;

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** Replaced resources that may go on with their last users. */
const MOST_REPLACED = 2;
/** A resource that lived longer was sound: its loss counts as the first failure in a row. */
const SOUND_MS = 30_000;
const REPLACED = "it was replaced";
const ENDING = "the gateway is ending";

export class Lifeline<T extends object> implements AsyncDisposable {
  readonly #deps: LifelineDeps<T>;
  readonly #now: () => number;
  readonly #end = new AbortController();
  /** Users of each live resource: of the one in use, and of those that were replaced. */
  readonly #users = new Map<T, number>();
  readonly #closing = new Set<Promise<void>>();
  #state: LifelineState<T> = { kind: "new" };
  #failures = 0;
  #failedAt = 0;
  /** When the last user of the resource in use released it. */
  #unusedSince = 0;

  constructor(deps: LifelineDeps<T>) {
    this.#deps = deps;
    this.#now = deps.now ?? (() => performance.now());
  }

  get state(): Readonly<LifelineState<T>> {
    return this.#state;
  }

  /** Aborted when the lifeline is disposed. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Milliseconds to wait before the next attempt. They double with each failure in a row but the
   * first `free` ones. */
  delayMs(free = 0): number {
    const failures = this.#failures - free;
    if (failures <= 0) return 0;
    return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  }

  /** Rest of `delayMs`, counted from the last failure. */
  dueMs(free = 0): number {
    return Math.max(0, this.#failedAt + this.delayMs(free) - this.#now());
  }

  /** Returns the resource; makes it first if necessary. All callers share one attempt, which goes on
   * when a caller gives up. Between `acquire` and `release` the resource is not idle. */
  async acquire(signal: AbortSignal): Promise<T> {
    if (this.#state.kind === "connected") {
      const { resource } = this.#state;
      this.#count(resource, 1);
      return resource;
    }
    const connecting = this.#state.kind === "connecting" ? this.#state : this.#connect();
    connecting.users++;
    try {
      return await abortable(connecting.attempt, signal);
    } catch (error) {
      connecting.attempt.then((resource) => this.release(resource), () => {});
      throw error;
    }
  }

  release(resource: T): void {
    this.#count(resource, -1);
  }

  /** Returns true for the resource in use. */
  has(resource: T): boolean {
    return this.#state.kind === "connected" && this.#state.resource === resource;
  }

  /** Ends the count of failures in a row. */
  sound(): void {
    this.#failures = 0;
  }

  /** Ends a resource that turned out to be dead. */
  drop(resource: T, reason: string): void {
    if (!this.has(resource)) return;
    this.#lose(resource, reason);
    this.#close(resource, reason);
  }

  /** Gives the resource to no new user; it is ended with its last one. */
  retire(resource?: T): void {
    const state = this.#state;
    if (state.kind !== "connected" || (resource ?? state.resource) !== state.resource) return;
    this.#enter({ kind: "idle" });
    if (this.#users.get(state.resource) === 0) this.#close(state.resource, REPLACED);
  }

  /** The same where it may go on: does nothing while several replaced ones have users. */
  retireIfFew(resource: T): void {
    const replaced = this.#users.size - (this.#state.kind === "connected" ? 1 : 0);
    if (replaced < MOST_REPLACED) this.retire(resource);
  }

  /** Ends the resource and the replaced ones now, with users or without. */
  cut(reason: string): void {
    if (this.#state.kind === "connected") this.#enter({ kind: "idle" });
    for (const resource of [...this.#users.keys()]) this.#close(resource, reason);
  }

  /** Ends the resource now unless it has users. */
  rest(): void {
    const state = this.#state;
    if (state.kind === "connected" && this.#users.get(state.resource) === 0) this.retire();
  }

  [Symbol.asyncDispose](): Promise<void> {
    const state = this.#state;
    if (state.kind === "ended") return state.done;
    this.#end.abort();
    for (const resource of [...this.#users.keys()]) this.#close(resource, ENDING);
    const attempt = state.kind === "connecting" ? state.attempt : undefined;
    const done = Promise.allSettled([attempt, ...this.#closing]).then(() => {});
    this.#enter({ kind: "ended", done });
    return done;
  }

  /** The one place where the state changes. */
  #enter(state: LifelineState<T>): void {
    if (this.#state.kind === "ended") return;
    if (this.#state.kind === "connected") clearTimeout(this.#state.timer);
    this.#state = state;
    if (state.kind === "connected") this.#watchIdle(state);
    this.#deps.onChange();
  }

  #connect(): Connecting<T> {
    this.#end.signal.throwIfAborted();
    const attempt = Promise.resolve().then(() => this.#open(connecting));
    const connecting: Connecting<T> = { kind: "connecting", attempt, users: 0 };
    this.#enter(connecting);
    return connecting;
  }

  async #open(connecting: Connecting<T>): Promise<T> {
    const { signal } = this.#end;
    try {
      signal.throwIfAborted();
      const resource = await this.#deps.open(signal);
      if (signal.aborted) await this.#deps.close(resource, ENDING);
      signal.throwIfAborted();
      this.#users.set(resource, connecting.users);
      this.#enter({ kind: "connected", resource, since: this.#now() });
      void this.#follow(resource);
      return resource;
    } catch (error) {
      this.#fail({ kind: "failed", error });
      throw error;
    }
  }

  async #follow(resource: T): Promise<void> {
    const reason = await this.#deps.ended(resource);
    this.#users.delete(resource);
    if (this.has(resource)) this.#lose(resource, reason);
  }

  #lose(resource: T, reason: string): void {
    const state = this.#state;
    if (state.kind === "connected" && this.#now() - state.since > SOUND_MS) this.sound();
    this.#fail({ kind: "lost", resource, reason });
  }

  #fail(state: LifelineState<T>): void {
    this.#failures++;
    this.#failedAt = this.#now();
    this.#enter(state);
  }

  #count(resource: T, change: 1 | -1): void {
    const users = this.#users.get(resource);
    if (users === undefined) return; // it has ended
    this.#users.set(resource, users + change);
    const state = this.#state;
    if (state.kind === "connected" && state.resource === resource) this.#watchIdle(state);
    else if (users + change === 0) this.#close(resource, REPLACED);
  }

  /** Notes from when on the resource is unused. A timer that runs stays: most uses are short. */
  #watchIdle(state: Connected<T>): void {
    const { idleMs } = this.#deps;
    if (idleMs === undefined || this.#users.get(state.resource) !== 0) return;
    this.#unusedSince = this.#now();
    state.timer ??= this.#restAfter(state, { idleMs, waitMs: idleMs });
  }

  #restAfter(state: Connected<T>, { idleMs, waitMs }: { idleMs: number; waitMs: number }): Timer {
    const timer = setTimeout(() => {
      state.timer = undefined;
      if (this.#users.get(state.resource) !== 0) return; // its release starts the time again
      const leftMs = this.#unusedSince + idleMs - this.#now();
      if (leftMs > 0) {
        state.timer = this.#restAfter(state, { idleMs, waitMs: leftMs });
        return;
      }
      this.sound();
      this.rest();
    }, waitMs);
    Deno.unrefTimer(timer);
    return timer;
  }

  #close(resource: T, reason: string): void {
    this.#users.delete(resource);
    // It is gone in either case.
    const closed = this.#deps.close(resource, reason).catch(() => {}).finally(() => {
      this.#closing.delete(closed);
    });
    this.#closing.add(closed);
  }
}
