/** Open files of this process. */

import { attempt } from "./attempt.ts";

/** Files that this process may open; `Infinity` where the system has no `/proc`. */
export function openFileLimit(): number {
  const limits = attempt(() => Deno.readTextFileSync("/proc/self/limits"), "");
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
}

/** Counts the open files; 0 where they cannot be listed: without `/proc`, which shows no limit
 * either, or with all files in use. */
export async function countOpenFiles(): Promise<number> {
  try {
    // Linux 6.2 and later: the number of entries.
    const { size } = await Deno.stat("/proc/self/fd");
    if (size > 0) return size;
    return (await Array.fromAsync(Deno.readDir("/proc/self/fd"))).length;
  } catch {
    return 0; // all are taken: the next connection fails
  }
}
