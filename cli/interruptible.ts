/** Signals of the system, work that they end, and errors that nothing caught. */

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

/** Calls the listener on SIGINT and SIGTERM; returns the function that removes it. */
export function onSignal(listener: (signal: "SIGINT" | "SIGTERM") => void): () => void {
  const handlers = (["SIGINT", "SIGTERM"] as const)
    .map((signal) => [signal, () => listener(signal)] as const);
  for (const [signal, handler] of handlers) Deno.addSignalListener(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) Deno.removeSignalListener(signal, handler);
  };
}

/** Calls the listener on SIGHUP; returns the function that removes it. A terminal sends it when it
 * closes, too: that ends the program gracefully. */
export function onReload(listener: () => void): () => void {
  if (Deno.build.os === "windows") return () => {};
  const hadTerminal = Deno.stdin.isTerminal();
  const handler = () => {
    if (hadTerminal && !Deno.stdin.isTerminal()) Deno.kill(Deno.pid, "SIGTERM");
    else listener();
  };
  Deno.addSignalListener("SIGHUP", handler);
  return () => Deno.removeSignalListener("SIGHUP", handler);
}

/** Calls the listener with each error that nothing caught, which would end the process; returns the
 * function that removes it. A gateway goes on: one request must not end those of everyone. */
export function onUncaught(listener: (error: unknown) => void): () => void {
  const handler = (event: Event) => {
    event.preventDefault();
    listener(event instanceof ErrorEvent ? event.error : (event as PromiseRejectionEvent).reason);
  };
  for (const type of ["error", "unhandledrejection"]) addEventListener(type, handler);
  return () => {
    for (const type of ["error", "unhandledrejection"]) removeEventListener(type, handler);
  };
}
