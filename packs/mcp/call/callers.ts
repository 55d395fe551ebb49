/** Pending calls of one server: they own its questions and its log. */

import { AsyncLocalStorage } from "node:async_hooks";
import type { Peer } from "../../peer.ts";

export interface Caller {
  /** Client of the call; missing where there is no client. */
  readonly peer?: Peer;
  /** Aborted when the call has ended. */
  readonly signal: AbortSignal;
  /** Pauses the time limit of the call; the returned function resumes it. */
  readonly pause: () => () => void;
}

/** Time for which a server may still ask questions about a call that was cancelled. */
const LINGER_MS = 60_000;

export class Callers {
  readonly #underWay = new Set<Caller>();
  readonly #lingering = new Set<Caller>();
  /** Caller of the current context. Over Streamable HTTP a server's messages about a request arrive on
   * the stream of that request, which is read in the context of its sender. */
  readonly #related = new AsyncLocalStorage<Caller>();

  /** Runs one call. An unanswered call is kept for a while, since the server may go on. */
  async run<T>(from: Caller, work: () => Promise<T>): Promise<T> {
    const caller = new PendingCall(from);
    this.#underWay.add(caller);
    try {
      return await this.#related.run(caller, work);
    } finally {
      this.#underWay.delete(caller);
      if (from.signal.aborted) this.#linger(caller);
      caller.end();
    }
  }

  /** Returns the call of the current message. Where the transport does not relate messages to calls,
   * all pending calls must have the same client. */
  find(): Caller | undefined {
    const related = this.#related.getStore();
    if (related) return this.#underWay.has(related) ? related : undefined;
    const [first, ...others] = this.#underWay;
    if (!first || others.some(({ peer }) => peer !== first.peer)) return undefined;
    const isForeign = (late: Caller) => connectionOf(late) !== connectionOf(first);
    return [...this.#lingering].some(isForeign) ? undefined : together([first, ...others]);
  }

  /** Forgets the calls of a closed connection. */
  forget(): void {
    this.#lingering.clear();
  }

  #linger(caller: Caller): void {
    this.#lingering.add(caller);
    Deno.unrefTimer(setTimeout(() => this.#lingering.delete(caller), LINGER_MS));
  }
}

/** A call whose signal is also aborted when the call has been answered. Few calls are asked
 * anything: the signal is made at its first use. */
class PendingCall implements Caller {
  readonly #from: Caller;
  #ended?: AbortController;
  #signal?: AbortSignal;
  #isEnded = false;

  constructor(from: Caller) {
    this.#from = from;
  }

  get peer(): Peer | undefined {
    return this.#from.peer;
  }

  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    this.#ended = new AbortController();
    if (this.#isEnded) this.#ended.abort();
    return this.#signal = AbortSignal.any([this.#from.signal, this.#ended.signal]);
  }

  readonly pause = (): () => void => this.#from.pause();

  end(): void {
    this.#isEnded = true;
    this.#ended?.abort();
  }
}

/** Combines calls of one client into one that ends with the last. */
function together(callers: readonly Caller[]): Caller {
  const ended = new AbortController();
  let left = callers.length;
  const end = () => --left === 0 && ended.abort();
  for (const { signal } of callers) signal.addEventListener("abort", end, { once: true });
  return {
    peer: callers[0]?.peer,
    signal: ended.signal,
    pause() {
      const resumes = callers.map(({ pause }) => pause());
      return () => resumes.forEach((resume) => resume());
    },
  };
}

function connectionOf({ peer }: Caller): object | undefined {
  return peer?.connection ?? peer;
}
