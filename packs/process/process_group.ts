/** A child in a process group of its own, ended as a whole with everything it started. */

import { within } from "#sandbox";
import type { Watcher } from "./watcher.ts";
import { killGroup } from "./watcher.ts";

export interface GroupCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The child's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A running child, its pipes, and its end. */
export interface ProcessGroup extends AsyncDisposable {
  readonly pid: number;
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly status: Promise<Deno.CommandStatus>;
}

/** What a child gets to end by itself once its stdin is closed. */
const GRACE_MS = 700;
/** After that the watcher ends it; past this it has failed to. */
const HARD_END_MS = 3_000;

/** Starts `command` as the leader of a new group that the watcher knows. Throws what the system
 * says when it cannot be started. Disposing it ends the group: the caller closes stdin first, then
 * the watcher sends SIGTERM and SIGKILL, each after a short wait.
 *
 * @example
 * ```ts ignore
 * await watcher.turn();
 * await using group = startGroup({ command: "npx", args: ["-y", "pkg"], env, cwd }, watcher);
 * ```
 */
export function startGroup(command: GroupCommand, watcher: Watcher): ProcessGroup {
  const child = new Deno.Command(command.command, {
    args: [...command.args],
    clearEnv: true,
    env: { ...command.env },
    cwd: command.cwd,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  watcher.add(child.pid);
  let ended: Promise<void> | undefined;
  const end = () => ended ??= endGroup(child, watcher);
  // What a leader that ended by itself leaves behind is ended too.
  void child.status.then(end);
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    status: child.status,
    [Symbol.asyncDispose]: end,
  };
}

async function endGroup(child: Deno.ChildProcess, watcher: Watcher): Promise<void> {
  if (!await within(child.status, GRACE_MS)) {
    watcher.end(child.pid);
    await within(child.status, HARD_END_MS);
  }
  killGroup(child.pid, "SIGKILL");
  await child.status;
  watcher.remove(child.pid);
}
