/** Calls that one server works on: whose its questions and its log are. */

import { AsyncLocalStorage } from "node:async_hooks";
import type { Peer } from "../../peer.ts";

export interface Caller {
  /** Missing where nobody can be asked and nobody is told. */
  readonly peer?: Peer;
  /** Aborted when the call has ended. */
  readonly signal: AbortSignal;
  /** Stops the time that the call may take; the returned function starts it again. */
  readonly pause: () => () => void;
}

/** Time in which a server that was told to cancel a call may still ask for it. */
const LINGER_MS = 60_000;

export class Callers {
  readonly #underWay = new Set<Caller>();
  readonly #lingering = new Set<Caller>();
  /** Over Streamable HTTP a server's messages about a request come on that request's own stream,
   * which is read in the context in which the request was sent. */
  readonly #related = new AsyncLocalStorage<Caller>();

  /** Does the work of one call. One that ends unanswered lingers, since the server may go on. */
  async run<T>(from: Caller, work: () => Promise<T>): Promise<T> {
    const ended = new AbortController();
    const caller = { ...from, signal: AbortSignal.any([from.signal, ended.signal]) };
    this.#underWay.add(caller);
    try {
      return await this.#related.run(caller, work);
    } finally {
      this.#underWay.delete(caller);
      if (from.signal.aborted) this.#linger(caller);
      ended.abort();
    }
  }

  /** The call that the message being handled belongs to. Where the transport does not relate them,
   * it may be any of those under way, and there must be no second client among them. */
  find(): Caller | undefined {
    const related = this.#related.getStore();
    if (related) return this.#underWay.has(related) ? related : undefined;
    const [first, ...others] = this.#underWay;
    if (!first || others.some(({ peer }) => peer !== first.peer)) return undefined;
    const isForeign = (late: Caller) => connectionOf(late) !== connectionOf(first);
    return [...this.#lingering].some(isForeign) ? undefined : together([first, ...others]);
  }

  /** Forgets the calls of a connection that is no more. */
  forget(): void {
    this.#lingering.clear();
  }

  #linger(caller: Caller): void {
    this.#lingering.add(caller);
    Deno.unrefTimer(setTimeout(() => this.#lingering.delete(caller), LINGER_MS));
  }
}

/** Calls of one client, as one that ends with the last of them. */
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
