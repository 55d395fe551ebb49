/** `toolscript gateway stop`: ends shared gateways, and waits until they are gone. */

import { findProject } from "#config";
import { findGateways, processIdentity, type RunFile } from "#gateway/running";
import { sleep } from "#sandbox/async";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";

/** Longer than any grace period that makes sense; after that the hard way. */
const PATIENCE_MS = 60_000;
const POLL_MS = 25;

export async function stop({ io, print, options }: Context): Promise<number> {
  const shared = (await findGateways(io.home)).filter((entry) => entry.shared);
  const project = await findProject(io);
  const chosen = options.all === true
    ? shared
    : shared.filter((entry) => entry.project === project);
  if (chosen.length === 0) {
    const hint = shared.length > 0 ? ": --all stops those of other projects" : "";
    throw new CliError(3, `Cannot stop the gateway: none runs for "${project}"${hint}`);
  }
  await Promise.all(chosen.map((entry) => stopGateway(io, entry, PATIENCE_MS)));
  for (const entry of chosen) await print.say(`Stopped ${entry.url}`);
  return 0;
}

/** Asks a gateway to end; once `patienceMs` have passed it is killed. */
export async function stopGateway(
  { now }: { readonly now: () => number },
  entry: RunFile,
  patienceMs: number,
): Promise<void> {
  const process = await processIdentity(entry.pid);
  if (process === undefined) return;
  signal(entry.pid, "SIGTERM");
  // Its file goes early in an orderly end: only the process itself tells that it is gone.
  for (const deadline = now() + patienceMs; now() < deadline;) {
    if ((await processIdentity(entry.pid)) !== process) return;
    await sleep(POLL_MS);
  }
  signal(entry.pid, "SIGKILL");
}

function signal(pid: number, name: Deno.Signal): void {
  try {
    Deno.kill(pid, name);
  } catch {
    // It was gone before.
  }
}
