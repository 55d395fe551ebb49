/** Locks that hold over processes. */

import { sleep } from "#base";

export interface LockOptions {
  /** True to hold it beside others that share it. */
  readonly shared?: boolean;
  /** Infinity by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const POLL_MS = 10;

/** Takes the lock of a file, made 0600 where it is missing, until disposal or the end of the process;
 * undefined if others hold it all the time. Throws errors of the file system.
 *
 * @example
 * ```ts
 * import { lockFile } from "#files";
 *
 * const path = Deno.makeTempFileSync();
 * using lock = await lockFile(path);
 * console.assert(lock && !await lockFile(path, { timeoutMs: 0 }));
 * ```
 */
export async function lockFile(
  path: string,
  options: LockOptions = {},
): Promise<Disposable | undefined> {
  const file = Deno.openSync(path, { create: true, write: true, mode: 0o600 });
  try {
    if (await lockOpen(file, options)) return file;
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  return undefined;
}

/** Takes the lock of an open file until that is closed; false if others hold it all the time. No thread
 * waits meanwhile. */
export async function lockOpen(
  file: Deno.FsFile,
  { shared = false, timeoutMs = Infinity, signal }: LockOptions = {},
): Promise<boolean> {
  for (const begin = performance.now(); !file.tryLockSync(!shared);) {
    signal?.throwIfAborted();
    if (performance.now() - begin >= timeoutMs) return false;
    await sleep(POLL_MS);
  }
  return true;
}
