/** A child in its own process group, ended with all its descendants. */

import { within } from "#base";
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

/** Time for a child to exit after its stdin is closed. */
const GRACE_MS = 700;
/** Time for the watcher to end it after that. */
const HARD_END_MS = 3_000;

/** Starts `command` as the leader of a new group and registers it with the watcher. Throws the
 * system's error when the start fails. Disposal ends the group: the caller closes stdin first, then
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
  // Descendants of a leader that exited by itself are ended too.
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
