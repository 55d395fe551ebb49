/** Waiting that ends with its signal. */

/** What `work` gives, unless the signal fires first: then it throws what `reason` makes. */
export async function untilAborted<T>(
  work: Promise<T>,
  { signal, reason }: { readonly signal: AbortSignal; readonly reason: () => Error },
): Promise<T> {
  const gone = Promise.withResolvers<never>();
  const onAbort = () => gone.reject(reason());
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, gone.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    work.catch(() => {}); // nobody waits for it any more
  }
}
