/** A child process that does not outlive the work it was started for. */

export interface ChildEnd extends AsyncDisposable {
  /** Ends the child by SIGKILL, unless it has ended. */
  kill(): void;
}

/** Kills `child` when the signal is aborted, and at disposal, which waits until the process is gone.
 *
 * @example
 * ```ts ignore
 * const child = new Deno.Command("git", { stdout: "piped" }).spawn();
 * await using _end = endWith(child, signal);
 * const text = await new Response(child.stdout).text();
 * ```
 */
export function endWith(child: Deno.ChildProcess, signal: AbortSignal): ChildEnd {
  let hasEnded = false;
  const status = child.status.finally(() => hasEnded = true);
  const kill = () => {
    if (!hasEnded) child.kill("SIGKILL");
  };
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  return {
    kill,
    async [Symbol.asyncDispose]() {
      signal.removeEventListener("abort", kill);
      kill();
      await status;
    },
  };
}
