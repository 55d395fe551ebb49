/** Turns of moves of files and of other work that relies on paths: during such work, a checked path
 * leads to the same file. They hold across all gateways of the user. */

import { join } from "node:path";
import { abortable, createSemaphore, sleep, within } from "#base";
import { lockFile, openStateFolder } from "#files";
import { PackError } from "../../errors.ts";

export interface Moves {
  /** Runs `work` beside other work of this kind, but not while any work runs alone. Rejects with
   * the signal's reason if it is aborted before the start. */
  beside<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Runs `work` while nothing else runs, for at most five seconds: then its signal is aborted.
   * Throws `PackError` where other work does not end within seconds, or this work takes longer,
   * and the signal's reason if it is aborted before the start. Runs that wait take turns. After
   * long work all other work has as much time before the next runs alone. */
  alone<T>(work: (signal: AbortSignal) => Promise<T>, options?: AloneOptions): Promise<T>;
}

export interface AloneOptions {
  readonly signal?: AbortSignal;
  /** Run that the work is for. */
  readonly run?: string;
}

/** Time that other gateways have for their work. */
const PATIENCE_MS = 20_000;
/** Time for which work that waits to run alone lets no other work begin. */
const HOLD_MS = 250;
/** Attempts to run alone: five seconds, with the time between them. */
const MOST_ATTEMPTS = 10;
/** Time for which work runs alone. */
const ALONE_MS = 5_000;

export interface HeldLock {
  readonly name: string;
  readonly shared?: boolean;
  readonly signal?: AbortSignal;
}

/** Runs `work` with a lock of the user's gateways; `home` holds their files. */
export async function holding<T>(
  home: string,
  lock: HeldLock,
  work: () => Promise<T>,
): Promise<T> {
  using held = await take(home, { ...lock, timeoutMs: PATIENCE_MS });
  lock.signal?.throwIfAborted();
  if (held) return await work();
  throw busy("another gateway is using or changing files");
}

/** A lock; undefined if others hold it all the time. */
async function take(
  home: string,
  { name, timeoutMs, ...options }: HeldLock & { readonly timeoutMs: number },
): Promise<Disposable | undefined> {
  const folder = join(home, ".onetool", "cache", "locks");
  try {
    openStateFolder(folder, { root: home });
  } catch {
    // Nothing can be kept there: no other gateway has its run file there either.
    return new DisposableStack();
  }
  return await lockFile(join(folder, name), { timeoutMs, ...options });
}

function busy(why: string): PackError {
  return new PackError("unavailable", `Cannot use files: ${why}: retry`, { retryable: true });
}

/** Runs `work` with a signal that is aborted in time. */
async function limited<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { ms, signal }: { readonly ms: number; readonly signal?: AbortSignal },
): Promise<T> {
  const limit = AbortSignal.timeout(ms);
  try {
    return await work(signal ? AbortSignal.any([signal, limit]) : limit);
  } catch (error) {
    if (error !== limit.reason) throw error;
    const why = `nothing else uses them meanwhile, and it takes longer than ${ms / 1_000} s`;
    throw new PackError("timeout", `Cannot use files: ${why}: do it in parts`);
  }
}

export interface MovesOptions {
  /** Time for which work runs alone, in milliseconds (5,000). */
  readonly aloneMs?: number;
}

/** Makes the turns of one gateway. */
export function createMoves(home: string, { aloneMs = ALONE_MS }: MovesOptions = {}): Moves {
  const others = new Set<Promise<unknown>>();
  /** Time in which no other work begins. */
  let hold: Promise<void> = Promise.resolve();
  const turns = createSemaphore(1, 1);
  /** Number of waits that ended without a turn. */
  let givenUp = 0;
  /** When the next work may run alone. */
  let restUntil = 0;

  /** Runs `work`; after what took long, the next has to wait as long. */
  async function timed<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<{ value: T }> {
    const since = performance.now();
    try {
      return { value: await limited(work, { ms: aloneMs, signal }) };
    } finally {
      const now = performance.now();
      if (now - since > HOLD_MS) restUntil = 2 * now - since;
    }
  }

  /** Runs `work` if all other work ends soon. */
  async function attemptAlone<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<{ value: T } | undefined> {
    const over = Promise.withResolvers<void>();
    hold = over.promise;
    try {
      if (!await within(Promise.allSettled(others), HOLD_MS)) return undefined;
      using lock = await take(home, { name: "moves", timeoutMs: HOLD_MS, signal });
      signal?.throwIfAborted();
      return lock && await timed(work, signal);
    } finally {
      over.resolve();
    }
  }

  async function runAlone<T>(
    work: (signal: AbortSignal) => Promise<T>,
    { attempts, signal }: { readonly attempts: number; readonly signal?: AbortSignal },
  ): Promise<T> {
    for (let left = attempts; left > 0; left--) {
      const done = await attemptAlone(work, signal);
      if (done) return done.value;
      if (left > 1) await sleep(HOLD_MS, signal);
    }
    givenUp++;
    throw busy("other calls, perhaps of another gateway, have used them for several seconds");
  }

  return {
    async beside(work, signal) {
      const turn = signal ? abortable(hold, signal) : hold;
      const mine = turn.then(() => holding(home, { name: "moves", shared: true, signal }, work));
      others.add(mine);
      try {
        return await mine;
      } finally {
        others.delete(mine);
      }
    },
    async alone(work, { signal, run } = {}) {
      const before = givenUp;
      using _turn = await turns.acquire(signal, run);
      const rest = restUntil - performance.now();
      if (rest > 0) await sleep(rest, signal);
      // If another call gave up meanwhile, this one has waited as long already.
      const attempts = givenUp === before ? MOST_ATTEMPTS : 1;
      return await runAlone(work, { attempts, signal });
    },
  };
}
