/** `toolscript gateway stop`: stops shared gateways, and waits until their processes have ended. */

import { attempt, sleep } from "#base";
import { findProject } from "#config";
import { findGateways, processIdentity, type RunFile } from "#gateway/running";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";

/** Time after which SIGKILL is sent; longer than any sensible grace period. */
const PATIENCE_MS = 60_000;
const POLL_MS = 25;

export async function stop({ io, print, options }: Context): Promise<number> {
  const shared = (await findGateways(io.home)).filter((entry) => entry.shared);
  const project = await findProject(io);
  const entries = options.all === true
    ? shared
    : shared.filter((entry) => entry.project === project);
  if (entries.length === 0) {
    const hint = shared.length > 0 ? ": --all stops those of other projects" : "";
    throw new CliError(3, `Cannot stop the gateway: none runs for "${project}"${hint}`);
  }
  await Promise.all(entries.map((entry) => stopGateway(io, entry, PATIENCE_MS)));
  for (const entry of entries) await print.say(`Stopped ${entry.url}`);
  return 0;
}

/** Stops a gateway by SIGTERM, after `patienceMs` by SIGKILL. */
export async function stopGateway(
  { now }: { readonly now: () => number },
  entry: RunFile,
  patienceMs: number,
): Promise<void> {
  const process = await processIdentity(entry.pid);
  if (process === undefined) return;
  // It may have ended before.
  const signal = (name: Deno.Signal) => attempt(() => Deno.kill(entry.pid, name));
  signal("SIGTERM");
  // The run file is removed early in a graceful end, so the process itself is checked.
  for (const deadline = now() + patienceMs; now() < deadline;) {
    if ((await processIdentity(entry.pid)) !== process) return;
    await sleep(POLL_MS);
  }
  signal("SIGKILL");
}
