/** Child processes: ends each with the work that needs it, and finds the line of output that
 * explains why one ended. */

import { attempt } from "./attempt.ts";

/** Begin of a line that names an error, as Node, Python and Deno write it. */
const NAMES_ERROR = /^(?:Uncaught )?(?:[\w.]{0,99}(?:Error|Exception)\b|error:)/;

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
    // It may have ended a moment ago, which `status` tells a little later.
    if (!hasEnded) attempt(() => child.kill("SIGKILL"));
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

/** Line of an output that tells best why its process ended: the last one that names an error, as stacks
 * and versions come after it, else the last one; empty without any. */
export function lastWords(output: string): string {
  const lines = output.trimEnd().split("\n").map((line) => line.trim());
  return lines.findLast((line) => NAMES_ERROR.test(line)) ?? lines.at(-1) ?? "";
}
