/** Work that may fail for any reason, and the reason. */

/** The value of the work, or `fallback` where it throws or rejects. Say at the call why every error
 * means the same.
 *
 * @example
 * ```ts
 * console.assert(attempt(() => JSON.parse("{"), null) === null);
 * ```
 */
export function attempt<T, F = undefined>(work: () => Promise<T>, fallback?: F): Promise<T | F>;
export function attempt<T, F = undefined>(work: () => T, fallback?: F): T | F;
export function attempt(work: () => unknown, fallback?: unknown): unknown {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(() => fallback) : value;
  } catch {
    return fallback;
  }
}

/** Message of something that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
