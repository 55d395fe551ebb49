/** The life of the connection to one server: made when needed, shared, kept, ended when idle. */

import type { PackState, PackStatus } from "../types.ts";
import { abortable, pause } from "./abortable.ts";
import type { Connection } from "./connection.ts";
import { ConnectError } from "./failure.ts";

export interface LinkDeps {
  /** Connects and reads the tool list. Throws `ConnectError`, or the signal's reason. */
  readonly open: (signal: AbortSignal) => Promise<Connection>;
  /** Called when `status()` may answer differently. */
  readonly onChange: () => void;
  /** A connection that nobody used for so long is ended; undefined for never. */
  readonly idleMs?: number;
  /** Whether a lost connection is made again before anybody asks. */
  readonly reconnect: boolean;
}

const FIRST_TRIES = 3;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** A connection that lived so long was sound: the next loss is waited for briefly again. */
const SOUND_MS = 30_000;

export class Link implements AsyncDisposable {
  readonly #deps: LinkDeps;
  readonly #end = new AbortController();
  readonly #settled = Promise.withResolvers<void>();
  #state: PackState;
  #error: string | null = null;
  #connection?: Connection;
  #attempt?: Promise<Connection>;
  #persisting = false;
  #starting = false;
  /** What it is once nobody tries any more. */
  #failed: [PackState, string | null] = ["disconnected", null];
  #failures = 0;
  #users = 0;
  #idleTimer?: ReturnType<typeof setTimeout>;

  /** `state` is what it is until something happens. */
  constructor(deps: LinkDeps, state: PackState) {
    this.#deps = deps;
    this.#state = state;
  }

  get status(): Pick<PackStatus, "state" | "error"> {
    return { state: this.#state, error: this.#error };
  }

  /** Resolves when the link has connected, or will not try by itself any more. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  settle(): void {
    this.#settled.resolve();
  }

  /** Connects in the background, with a few tries; until they are used up it is `connecting`. */
  start(): void {
    if (this.#connection || this.#persisting) return;
    this.#starting = true;
    void this.#persist(FIRST_TRIES).finally(() => {
      this.#starting = false;
      if (this.#state === "connecting" && !this.#attempt) this.#become(...this.#failed);
      this.settle();
    });
  }

  /** Makes the connection. All who wait share one attempt; one who gives up does not end it. Between
   * `acquire` and `release` the connection does not count as idle. */
  async acquire(signal: AbortSignal): Promise<Connection> {
    this.#users++;
    clearTimeout(this.#idleTimer);
    try {
      return await abortable(this.#share(), signal);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** As `acquire` where the connection is there. */
  held(): Connection | undefined {
    if (!this.#connection) return undefined;
    this.#users++;
    clearTimeout(this.#idleTimer);
    return this.#connection;
  }

  /** Whether this is the connection in use. */
  has(connection: Connection): boolean {
    return this.#connection === connection;
  }

  release(): void {
    this.#users--;
    this.#watchIdle();
  }

  /** Gives up a connection that turned out to be dead. */
  drop(connection: Connection, reason: string): void {
    if (this.#connection !== connection) return;
    this.#lose(reason);
    void connection.close().catch(() => {}); // it is gone in either case
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#idleTimer);
    this.settle();
    const connection = this.#connection;
    this.#connection = undefined;
    await Promise.allSettled([connection?.close(), this.#attempt]);
    this.#become("disconnected", null);
  }

  #share(): Promise<Connection> {
    return this.#attempt ??= this.#connect().finally(() => this.#attempt = undefined);
  }

  async #connect(): Promise<Connection> {
    this.#end.signal.throwIfAborted();
    this.#become("connecting", null);
    try {
      const connection = await this.#deps.open(this.#end.signal);
      if (this.#end.signal.aborted) await connection.close();
      this.#end.signal.throwIfAborted();
      this.#connection = connection;
      void this.#follow(connection);
      this.#become("connected", null);
      this.settle();
      this.#watchIdle();
      return connection;
    } catch (error) {
      this.#failures++;
      const known = error instanceof ConnectError ? error : undefined;
      const needsAuth = known?.failure.kind === "http" && known.failure.status === 401;
      this.#failed = [
        needsAuth ? "needs-auth" : "disconnected",
        known?.reason ?? "connection ended",
      ];
      const [state, reason] = this.#failed;
      this.#become(this.#starting ? "connecting" : state, reason);
      throw error;
    }
  }

  async #follow(connection: Connection): Promise<void> {
    const since = performance.now();
    await connection.closed;
    if (performance.now() - since > SOUND_MS) this.#failures = 0;
    if (this.#connection === connection) this.#lose("connection lost");
  }

  #lose(reason: string): void {
    this.#connection = undefined;
    clearTimeout(this.#idleTimer);
    this.#failures++;
    this.#become("disconnected", reason);
    if (this.#deps.reconnect) void this.#persist(Infinity);
  }

  /** Tries until it is connected, to no avail for good, or tired. */
  async #persist(tries: number): Promise<void> {
    if (this.#persisting) return;
    this.#persisting = true;
    try {
      for (let tried = 0; tried < tries && !this.#end.signal.aborted; tried++) {
        if (this.#failures > 0) await pause(this.#delay(), this.#end.signal);
        if (this.#connection || this.#end.signal.aborted) return;
        const error = await this.#share().then(() => undefined, (error: unknown) => error);
        if (error === undefined) return;
        if (!(error instanceof ConnectError) || error.final) return;
        if (tries === FIRST_TRIES && error.failure.kind === "timeout") return;
      }
    } finally {
      this.#persisting = false;
    }
  }

  #delay(): number {
    return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 1));
  }

  #watchIdle(): void {
    clearTimeout(this.#idleTimer);
    const { idleMs } = this.#deps;
    if (idleMs === undefined || this.#users > 0 || !this.#connection) return;
    const timer = setTimeout(() => this.#endIdle(), idleMs);
    Deno.unrefTimer(timer);
    this.#idleTimer = timer;
  }

  #endIdle(): void {
    const connection = this.#connection;
    if (!connection || this.#users > 0) return;
    this.#connection = undefined;
    this.#failures = 0;
    this.#become("idle", null);
    void connection.close().catch(() => {}); // its process is ended in either case
  }

  #become(state: PackState, error: string | null): void {
    if (this.#state === state && this.#error === error) return;
    this.#state = state;
    this.#error = error;
    this.#deps.onChange();
  }
}
