/** Ports for what takes no port 0. */

import { sleep } from "#base";

/** Ports that no system gives away by itself: below those of `listen(0)` and of outgoing connections
 * on Linux (32,768), macOS, and Windows (49,152), and above those that `fetch` refuses (10,080). */
const PORTS = { from: 11_000, to: 32_768 };

/** A free port that only a caller of this function takes: it stays free while a server restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    if (await isFree(port)) return port;
  }
}

/** Resolves when the port of a server that has ended is free: a process that is being started has its
 * listener for some milliseconds, too. */
export async function released(port: number): Promise<void> {
  while (!(await isFree(port))) await sleep(10);
}

/** Connects, as a listener of ours would be kept in the same way. */
async function isFree(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return false;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return true;
    // A listener that is being closed resets it.
    if (error instanceof Deno.errors.ConnectionReset) return false;
    throw error;
  }
}
