/** Watches a process's memory where the system cannot bound it. */

import { MEMORY_MB } from "./launch.ts";

const EVERY_MS = 250;

/** Calls `onExceeded` when the process exceeds its memory limit. */
export function watchMemory(pid: number, onExceeded: (why: string) => void): Disposable {
  const timer = setInterval(async () => {
    if (await residentMb(pid) > MEMORY_MB) {
      onExceeded(`the checker used more than ${MEMORY_MB} MB of memory`);
    }
  }, EVERY_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

async function residentMb(pid: number): Promise<number> {
  try {
    const { stdout } = await new Deno.Command("ps", {
      args: ["-o", "rss=", "-p", `${pid}`],
      stdin: "null",
      stderr: "null",
    }).output();
    return Number(new TextDecoder().decode(stdout).trim()) / 1024;
  } catch {
    // No `ps` here: the deadline alone bounds a check.
    return 0;
  }
}
