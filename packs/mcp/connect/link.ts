/** Connection to one server: its status, and its renewal in the background. */

import { sleep } from "#base";
import { Lifeline } from "../../process/lifeline.ts";
import type { PackState, PackStatus } from "../../types.ts";
import type { Connection } from "./connection.ts";
import { ConnectError } from "./failure.ts";

export interface LinkDeps {
  /** Connects and reads the tool list. Throws `ConnectError`, or the signal's reason. */
  readonly open: (signal: AbortSignal) => Promise<Connection>;
  /** Called when `status()` may have changed. */
  readonly onChange: () => void;
  /** An unused connection is ended after this; undefined for never. */
  readonly idleMs?: number;
  /** Makes a lost connection again without a call. */
  readonly reconnect: boolean;
}

type Status = Pick<PackStatus, "state" | "error">;

const FIRST_TRIES = 3;

export class Link implements AsyncDisposable {
  readonly life: Lifeline<Connection>;
  readonly #deps: LinkDeps;
  readonly #settled = Promise.withResolvers<void>();
  readonly #first: PackState;
  #background: "none" | "waiting" | "starting" | "reconnecting" = "none";

  /** `first` is the state before the first attempt. */
  constructor(deps: LinkDeps, first: PackState) {
    this.#deps = deps;
    this.#first = first;
    this.life = new Lifeline({
      open: deps.open,
      close: (connection) => connection.close(),
      ended: (connection) => connection.closed.then(() => "connection lost"),
      onChange: () => this.#changed(),
      idleMs: deps.idleMs,
    });
  }

  status(): Status {
    const { state } = this.life;
    switch (state.kind) {
      case "new":
        return { state: this.#first, error: null };
      case "connecting":
      case "connected":
      case "idle":
        return { state: state.kind, error: null };
      case "failed":
        return {
          state: this.#background === "starting" ? "connecting" : failedState(state.error),
          error: state.error instanceof ConnectError ? state.error.reason : "connection ended",
        };
      case "lost":
        return { state: "disconnected", error: state.reason };
      case "ended":
        return { state: "disconnected", error: null };
      default:
        return state satisfies never;
    }
  }

  /** Resolves when the link has connected, or makes no further attempt by itself. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  settle(): void {
    this.#settled.resolve();
  }

  /** Connects in the background with a few attempts; the state is `connecting` until the last. */
  start(): void {
    if (this.life.state.kind === "connected" || this.#background !== "none") return;
    void this.#connect("starting").finally(() => this.settle());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.life[Symbol.asyncDispose]();
  }

  /** Retries until connected, permanently failed, or out of attempts. */
  async #connect(background: "starting" | "reconnecting"): Promise<void> {
    if (this.#background !== "none") return;
    this.#background = "waiting"; // a failure before is shown until the first attempt
    const isStart = background === "starting";
    for (let left = isStart ? FIRST_TRIES : Infinity; left > 0; left--) {
      const error = await this.#attempt(background);
      if (!(error instanceof ConnectError) || error.final) break;
      if (isStart && error.failure.kind === "timeout") break;
    }
    this.#background = "none";
    if (this.life.state.kind === "failed") this.#deps.onChange();
  }

  /** Connects once, after the back-off; resolves to the error. */
  async #attempt(background: "starting" | "reconnecting"): Promise<unknown> {
    const { signal } = this.life;
    try {
      await sleep(this.life.delayMs(), signal);
      this.#background = background;
      this.life.release(await this.life.acquire(signal));
    } catch (error) {
      return error;
    }
  }

  #changed(): void {
    const { kind } = this.life.state;
    if (kind === "connected" || kind === "ended") this.settle();
    if (kind === "lost" && this.#deps.reconnect) void this.#connect("reconnecting");
    this.#deps.onChange();
  }
}

function failedState(error: unknown): PackState {
  const failure = error instanceof ConnectError ? error.failure : undefined;
  const isRefused = failure?.kind === "http" && failure.status === 401;
  return isRefused || failure?.kind === "needs_auth" ? "needs-auth" : "disconnected";
}
