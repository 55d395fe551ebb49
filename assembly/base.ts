/** Parts that all others are built on: configuration, log, port, stored results. */

import type { Log, Tracer } from "#base";
import type { Sink, StartGatewayOptions } from "#cli";
import { createLiveConfig, type LiveConfig } from "#config";
import { listen, type Listener } from "#gateway";
import { createWatcher, type Watcher } from "#packs";
import { createResultStore, type ResultStore } from "#runtime";
import { randomName } from "#sandbox";
import { logPlaces, openTelemetry, type Telemetry } from "#telemetry";

export interface GatewayOptions extends StartGatewayOptions {
  /** Folder of `.onetool/run/`. */
  readonly home: string;
  readonly version: string;
  /** Command that starts this program. */
  readonly program: readonly string[];
  /** Destination of log lines, where the configuration asks for them. */
  readonly stderr?: Sink;
}

export interface Base {
  readonly options: GatewayOptions;
  readonly live: LiveConfig;
  readonly telemetry: Telemetry;
  readonly log: Log;
  readonly tracer: Tracer;
  readonly listener: Listener;
  /** Secret that clients of the gateway send. */
  readonly token: string;
  readonly watcher: Watcher;
  readonly results: ResultStore;
}

/** Opens the log and the port. */
export async function openBase(options: GatewayOptions): Promise<Base> {
  const { config, load } = options;
  const token = newSecret();
  const telemetry = await openLog(options, token);
  const { log, tracer } = telemetry;
  const live = createLiveConfig({ first: config, load, log });
  const listener = await listen(config.gateway);
  const watcher = createWatcher({ log });
  const results = createResultStore({
    folder: config.output.folder,
    ttlMs: () => live.current.output.resultTtlMs,
    outputBytes: () => live.current.sandbox.outputBytes,
    now: Date.now,
  });
  return { options, live, telemetry, log, tracer, listener, token, watcher, results };
}

/** 192 random bits in the URL's alphabet. */
export function newSecret(): string {
  return randomName(24);
}

/** Opens the gateway's log and traces, which never hold its own token. */
async function openLog(
  { config, verbose = false, shared, log: tell, stderr, version }: GatewayOptions,
  token: string,
): Promise<Telemetry> {
  const env = Deno.env.toObject();
  return await openTelemetry({
    ...logPlaces({ settings: config.logging, env, shared, verbose, stderr, root: config.project }),
    tell,
    env,
    secrets: [token, ...config.secrets],
    version,
    now: Date.now,
    clock: () => performance.now(),
  });
}
