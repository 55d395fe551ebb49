/** Choice of the gateway behind `toolscript mcp`: a named one, the shared one of the project, or one
 * inside this process. */

import { join } from "node:path";
import type { Config } from "#config";
import { lockFile } from "#files";
import type { McpBackend } from "#gateway/mcp";
import { openRunFolder, type RunFile } from "#gateway/running";
import { createClient } from "../client.ts";
import { complete, loadWhole } from "../config.ts";
import {
  connectTo,
  findShared,
  type GatewayKey,
  logTo,
  onFreePort,
} from "../gateway_connection.ts";
import { openShared } from "../gateway/open_shared.ts";
import { openPresence } from "./presence.ts";
import { type Context, textOption } from "../context.ts";

/** Backend whose gateway may end. */
export interface Attachment extends AsyncDisposable {
  readonly backend: Pick<McpBackend, "handle" | "watch" | "onChange" | "withdrawal">;
  /** Resolves with true while the gateway responds. */
  isAlive(): Promise<boolean>;
}

export interface AttachOptions {
  readonly config: Config;
  readonly gatewayUrl: string | undefined;
}

/** Many clients at once may keep a gateway busy. */
const ALIVE_MS = 10_000;
const START_MS = 30_000;

/** Reads the URL of the named gateway, if any. */
export function explicitGateway(context: Context): string | undefined {
  return textOption(context, "gateway") ?? (context.io.env.TOOLSCRIPT_GATEWAY_URL || undefined);
}

/** Finds or starts a gateway. */
export async function attach(
  context: Context,
  { config, gatewayUrl }: AttachOptions,
): Promise<Attachment> {
  const { io } = context;
  if (gatewayUrl !== undefined) {
    const { client } = await connectTo(context, gatewayUrl);
    return await attachTo(context, client);
  }
  const shared = await shareGateway(context, config);
  if (shared) return await attachTo(context, createClient({ ...shared, fetch: io.fetch }));
  const gateway = await io.startGateway({
    config: onFreePort(await complete(context, config)),
    load: async () => onFreePort(await loadWhole(context)),
    log: logTo(context),
    verbose: context.options.verbose === true,
    shared: false,
    session: null,
    lazy: true,
  });
  return {
    backend: gateway.mcp,
    isAlive: () => Promise.resolve(true),
    [Symbol.asyncDispose]: () => gateway.close(),
  };
}

/** Finds the shared gateway of the project, or starts it; undefined where this client has one of its
 * own. */
export async function shareGateway(
  context: Context,
  config: Config,
): Promise<RunFile | undefined> {
  if (context.options.private === true) return undefined;
  const key = { ...config, sameVariables: config.variables };
  try {
    return config.gateway.share
      ? await openForClients(context, key)
      : await findShared(context, key);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await context.print.warn(`Cannot use a shared gateway: ${reason}`);
    return undefined;
  }
}

/** Of clients that start at the same moment, one starts the gateway. */
async function openForClients(context: Context, key: GatewayKey): Promise<RunFile> {
  const running = await findShared(context, key);
  if (running) return running;
  const path = join(await openRunFolder(context.io.home), "auto.lock");
  using _lock = await lockFile(path, { timeoutMs: START_MS });
  return await openShared(context, key, { auto: true });
}

async function attachTo(context: Context, client: Client): Promise<Attachment> {
  const { io } = context;
  const { connectBackend } = await import("./remote_backend.ts");
  const backend = await connectBackend({
    client,
    fetch: io.fetch,
    log: logTo(context),
    version: io.version,
  });
  const presence = await openPresence(client);
  return {
    backend,
    isAlive: async () => presence?.isOpen() !== false && await client.isHealthy(ALIVE_MS),
    async [Symbol.asyncDispose]() {
      presence?.close();
      await backend[Symbol.asyncDispose]();
    },
  };
}

type Client = ReturnType<typeof createClient>;
