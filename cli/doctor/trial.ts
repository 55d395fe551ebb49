/** Temporary gateway to check that servers connect, and that programs run and are type-checked. */

import { join } from "node:path";
import { type JsonObject, lastWords, type Log, messageOf, silent } from "#base";
import type { Config } from "#config";
import { discoverPacks } from "#packs";
import { type Client, createClient } from "../client.ts";
import { onFreePort } from "../gateway_connection.ts";
import type { CliIo, RunningGateway } from "../io.ts";
import { checkRuns } from "./runs.ts";
import { checkEffects, checkServers, type ServerLog } from "./servers.ts";
import { bad, type Finding } from "./types.ts";

export interface TrialOptions {
  readonly config: Config;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => Promise<void>;
}

/** Checks that servers connect, and that programs run. */
export async function tryGateway(io: CliIo, options: TrialOptions): Promise<Finding[]> {
  const { config, signal, onProgress } = options;
  const logs = new Map<string, ServerLog>();
  try {
    return await withTrialGateway(io, { config, log: listener(logs) }, async (gateway) => {
      const client: Client = createClient({ ...gateway, fetch: io.fetch });
      const [runs, servers] = await Promise.all([
        checkRuns(client, { signal }),
        checkServers(client, { servers: config.servers, logs, signal, onProgress }),
      ]);
      return [...runs, ...servers, ...await checkEffects(client, signal)];
    });
  } catch (error) {
    const message = messageOf(error);
    return [bad("sandbox", `A gateway cannot be started: ${message}`)];
  }
}

/** Opens a gateway with folders of its own, so that no file of the project changes, while `work`
 * lasts. */
export async function withTrialGateway<T>(
  io: CliIo,
  { config, log = silent }: { readonly config: Config; readonly log?: Log },
  work: (gateway: RunningGateway) => Promise<T>,
): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-doctor-" });
  try {
    const trial = trialOf(config, { io, folder });
    const gateway = await io.startGateway({
      config: trial,
      load: () => Promise.resolve(trial),
      shared: false,
      hidden: true,
      session: null,
      lazy: false,
      log,
    });
    try {
      return await work(gateway);
    } finally {
      await gateway.close();
    }
  } finally {
    await Deno.remove(folder, { recursive: true }).catch(() => {}); // a server may still write there
  }
}

/** Configuration of the trial: without the packs of `.onetool/tools`, which have a check of their own. */
function trialOf(
  config: Config,
  { io, folder }: { readonly io: CliIo; readonly folder: string },
): Config {
  const { packs: ownPacks } = discoverPacks({ ...config, home: io.home, reserved: new Map() });
  const off = ownPacks.map(({ name }) => [name, { enabled: false } as JsonObject] as const);
  const { output, stats, logging, packs } = config;
  return {
    ...onFreePort(config),
    cacheDir: join(folder, "cache"),
    output: { ...output, folder: join(folder, "tmp") },
    stats: { ...stats, enabled: false, folder: join(folder, "stats") },
    logging: { ...logging, file: null },
    packs: { ...packs, extensions: Object.fromEntries(off) },
  };
}

/** Builds a log that collects the messages about each server. */
function listener(logs: Map<string, ServerLog>): Log {
  return (_level, message, facts = {}) => {
    const { server, tool, reason, stderr } = facts;
    if (typeof server !== "string") return;
    const log = logs.get(server) ?? { omitted: 0 };
    if (message === "A tool was left out") {
      const why = `${String(tool)}: ${String(reason)}`;
      logs.set(server, { ...log, omitted: log.omitted + 1, why });
    } else if (typeof stderr === "string" && stderr.trim() !== "") {
      logs.set(server, { ...log, words: lastWords(stderr).slice(0, 200) });
    }
  };
}
