/** Ports for what takes no port 0. */

/** Ports that no system gives away by itself: below those of `listen(0)` and of outgoing connections
 * on Linux (32,768), macOS, and Windows (49,152), and above those that `fetch` refuses (10,080). */
const PORTS = { from: 11_000, to: 32_768 };

/** A free port that only a caller of this function takes: it stays free while a server restarts. */
export function freePort(): number {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}
