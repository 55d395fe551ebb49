/** Waiting for a promise that cannot be cancelled itself. */

/** Settles as `promise` does, or rejects with the signal's reason if that comes first. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Resolves after `ms`, or at once when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(handle);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const handle = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
