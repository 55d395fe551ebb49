/** Watcher: a process that ends the gateway's children when the gateway is gone. */

import { fileURLToPath } from "node:url";
import { attempt, type Log, sleep } from "#base";

/** Records every process group, and outlives a killed gateway. */
export interface Watcher extends AsyncDisposable {
  /** Resolves when this caller may start a process. A start blocks the event loop for milliseconds;
   * between two starts the gateway yields. */
  turn(): Promise<void>;
  add(group: number): void;
  remove(group: number): void;
  /** Ends a group by SIGTERM, then the group and escaped descendants by SIGKILL. */
  end(group: number): void;
}

const SCRIPT = fileURLToPath(new URL("./watcher.sh", import.meta.url));

/** Makes the watcher of one gateway; its process starts with the first group.
 *
 * @example
 * ```ts ignore
 * await using watcher = createWatcher({ log });
 * watcher.add(child.pid);
 * ```
 */
export function createWatcher(deps: { readonly log: Log }): Watcher {
  return new ShellWatcher(deps.log);
}

class ShellWatcher implements Watcher {
  readonly #log: Log;
  readonly #groups = new Set<number>();
  readonly #encoder = new TextEncoder();
  #process?: Deno.ChildProcess;
  #writer?: WritableStreamDefaultWriter<Uint8Array>;
  #disposed = false;
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
  }

  turn(): Promise<void> {
    const turn = this.#lastTurn;
    this.#lastTurn = turn.then(() => sleep(1));
    return turn;
  }

  add(group: number): void {
    this.#groups.add(group);
    if (this.#writer) this.#tell(`+ ${group}`);
    else this.#start();
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell(`- ${group}`);
  }

  end(group: number): void {
    if (this.#writer) this.#tell(`! ${group}`);
    else killGroup(group, "SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    const child = this.#process;
    // The pipe is closed already if the process ended by itself.
    await this.#writer?.close().catch(() => {});
    await child?.status;
  }

  #start(): void {
    if (this.#disposed || Deno.build.os === "windows") return;
    try {
      const child = new Deno.Command("/bin/sh", {
        args: [SCRIPT],
        clearEnv: true,
        env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
        cwd: "/",
        stdin: "piped",
        stdout: "null",
        stderr: "null",
        detached: true,
      }).spawn();
      this.#process = child;
      this.#writer = child.stdin.getWriter();
      void this.#restartAfter(child);
      for (const group of this.#groups) this.#tell(`+ ${group}`);
    } catch (error) {
      this.#log("warning", "Cannot start the watcher: servers may outlive a killed gateway", {
        error: String(error),
      });
    }
  }

  async #restartAfter(child: Deno.ChildProcess): Promise<void> {
    await child.status;
    if (this.#process !== child) return;
    this.#process = undefined;
    this.#writer = undefined;
    if (this.#disposed || this.#groups.size === 0) return;
    this.#log("warning", "The watcher ended early: starting it again");
    this.#start();
  }

  #tell(line: string): void {
    // The next watcher gets all groups again.
    this.#writer?.write(this.#encoder.encode(`${line}\n`)).catch(() => {});
  }
}

/** Signals a whole process group; false when none of it is left. */
export function killGroup(group: number, signal: Deno.Signal): boolean {
  // The group has ended already.
  return attempt(() => Deno.kill(-group, signal), false) !== false;
}
