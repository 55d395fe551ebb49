/** One server pack with everything it needs, in a temporary folder, gone at the end. */

import { createServerPack, createWatcher, type ServerConfig, type ServerPack } from "#packs";
import type { ServerPackDeps } from "#packs";

export interface Harness extends AsyncDisposable {
  readonly pack: ServerPack;
  readonly folder: string;
  /** What was logged, one line each. */
  readonly logged: readonly string[];
  /** Resolves when `test` holds, looked at whenever the pack changes. */
  until(test: () => boolean): Promise<void>;
}

export async function openPack(
  config: ServerConfig,
  deps: Partial<ServerPackDeps> = {},
): Promise<Harness> {
  const folder = deps.cacheDir ?? await Deno.makeTempDir({ prefix: "toolscript-pack-" });
  const logged: string[] = [];
  const log: ServerPackDeps["log"] = (level, message, facts) =>
    void logged.push(`${level} ${message} ${JSON.stringify(facts ?? {})}`);
  const watcher = createWatcher({ log });
  const pack = createServerPack(config, {
    log,
    watcher,
    fetch,
    now: Date.now,
    cacheDir: folder,
    environment: Deno.env.toObject(),
    clientVersion: "0.0.0",
    connectTimeoutMs: 60_000,
    ...deps,
  });
  return {
    pack,
    folder,
    logged,
    async until(test) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => test() && resolve();
      const stop = pack.onChange(look);
      look();
      await promise;
      stop();
    },
    async [Symbol.asyncDispose]() {
      await pack[Symbol.asyncDispose]();
      await watcher[Symbol.asyncDispose]();
      if (deps.cacheDir === undefined) await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Opens a pack, starts it, and waits for its tools. */
export async function startPack(
  config: ServerConfig,
  deps: Partial<ServerPackDeps> = {},
): Promise<Harness> {
  const harness = await openPack(config, deps);
  harness.pack.start();
  await harness.until(() => harness.pack.status().state !== "connecting");
  return harness;
}

/** Whether a process lives; a zombie does not. */
export async function isAlive(pid: number): Promise<boolean> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", String(pid)] })
    .output();
  const state = new TextDecoder().decode(stdout).trim();
  return state !== "" && !state.startsWith("Z");
}

/** Waits until a process is gone, up to ten seconds. */
export async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 600; tries++) {
    if (!await isAlive(pid)) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
