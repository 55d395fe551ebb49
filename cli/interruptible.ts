/** Work that a signal of the system ends. */

import type { CliIo } from "./io.ts";

/** Does work until it ends or the user interrupts it; the exit code is 130 then. */
export async function interruptible(
  io: CliIo,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const interrupted = new AbortController();
  const stopListening = io.onSignal(() => interrupted.abort());
  try {
    const code = await work(interrupted.signal);
    return interrupted.signal.aborted ? 130 : code;
  } catch (error) {
    if (interrupted.signal.aborted) return 130;
    throw error;
  } finally {
    stopListening();
  }
}
