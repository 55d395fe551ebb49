/** Signals of the system to this process. */

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
