/** Waiting for promises: until a signal, for a limited time, one after another. */

export interface AbortableOptions {
  /** Called when the signal comes first; makes the error. Default: the signal's reason. */
  readonly onAbort?: () => unknown;
}

/** Settles as `promise` does, or rejects when the signal is aborted before that. The work behind the
 * promise goes on; a later rejection of it is handled.
 *
 * @example
 * ```ts
 * const stop = new AbortController();
 * await abortable(Promise.resolve("ready"), stop.signal); // "ready"
 * ```
 */
export function abortable<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  { onAbort = () => signal.reason }: AbortableOptions = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(onAbort());
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.finally(() => signal.removeEventListener("abort", abort)).then(resolve, reject);
  });
}

/** Controller that is aborted with `leader` until it is disposed. For short work below a long one:
 * `AbortSignal.any` takes four times as long, and leaves work to the garbage collector. */
export class FollowingController extends AbortController implements Disposable {
  readonly #leader: AbortSignal | undefined;
  readonly #follow = () => this.abort(this.#leader?.reason);

  constructor(leader?: AbortSignal) {
    super();
    this.#leader = leader;
    if (leader?.aborted) this.#follow();
    else leader?.addEventListener("abort", this.#follow);
  }

  [Symbol.dispose](): void {
    this.#leader?.removeEventListener("abort", this.#follow);
  }
}

/** Resolves to true when `promise` fulfills within `ms`, to false when it is still pending then.
 * Rejects when it rejects in that time; a later rejection of it is handled. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([promise.then(() => true as const), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Yields to the event loop long enough for work on sockets, too: the runtime polls sockets when no
 * other work is left, and only once in sixty turns while there always is some. */
export function idle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

/** Resolves after `ms`, at once where that is not positive. Rejects with the signal's reason when it
 * is aborted before. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const abort = () => reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** Runs one piece of work at a time, in the order of the calls, and settles as the work does. */
export type WorkQueue = <T>(work: () => T | Promise<T>) => Promise<T>;

/** Makes a queue. Work that fails does not stop the work behind it.
 *
 * @example
 * ```ts
 * const queue = createQueue();
 * await Promise.all([queue(() => "first"), queue(() => "second")]);
 * ```
 */
export function createQueue(): WorkQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {}); // the caller gets the error
    return result;
  };
}

/** Makes a function whose calls share runs of `work`. A run begins after the call, one run at a
 * time: all calls made while one is under way get the result of the next.
 *
 * @example
 * ```ts
 * let count = 0;
 * const work = shared(() => Promise.resolve(++count));
 * await Promise.all([work(), work()]); // [1, 1]
 * ```
 */
export function shared<T>(work: () => Promise<T>): () => Promise<T> {
  const queue = createQueue();
  let next: Promise<T> | undefined;
  return () =>
    next ??= queue(() => {
      next = undefined;
      return work();
    });
}

/** Makes a function that runs `action` at its first call only. */
export function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}
