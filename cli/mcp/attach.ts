/** Choice of the gateway behind `toolscript mcp`: a named one, the shared one of the project, or one
 * inside this process. */

import type { Config } from "#config";
import type { McpBackend } from "#gateway/mcp";
import { createClient } from "../client.ts";
import { complete, loadWhole } from "../config.ts";
import { connectTo, findShared, logTo, onFreePort } from "../gateway_connection.ts";
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

const ALIVE_MS = 2_000;

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
  const shared = await findShared(context, config);
  if (shared) {
    try {
      return await attachTo(context, createClient({ ...shared, fetch: io.fetch }));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      await context.print.warn(`Cannot use the gateway at "${shared.url}": ${reason}`);
    }
  }
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

async function attachTo(context: Context, client: Client): Promise<Attachment> {
  const { io } = context;
  const { connectBackend } = await import("./remote_backend.ts");
  const backend = await connectBackend({
    client,
    fetch: io.fetch,
    log: logTo(context),
    version: io.version,
  });
  return {
    backend,
    isAlive: () => client.isHealthy(ALIVE_MS),
    [Symbol.asyncDispose]: () => backend[Symbol.asyncDispose](),
  };
}

type Client = ReturnType<typeof createClient>;
