/** Choice of the gateway behind `toolscript mcp`: a named one, or the shared one of the project. */

import { join } from "node:path";
import { messageOf } from "#base";
import type { Config } from "#config";
import { lockFile } from "#files";
import { openRunFolder } from "#gateway/running";
import type { Client } from "../client.ts";
import { type Context, gatewayOption } from "../context.ts";
import { openShared } from "../gateway/open_shared.ts";
import { connectTo, findShared } from "../gateway_connection.ts";

const START_MS = 30_000;

/** Finds or starts the gateway of a client; undefined where the client has one of its own. */
export async function findForClient(
  context: Context,
  config: Config,
): Promise<Pick<Client, "url" | "token"> | undefined> {
  const url = gatewayOption(context);
  if (url !== undefined) return (await connectTo(context, url)).client;
  if (context.options.private === true) return undefined;
  const key = { ...config, sameVariables: config.variables };
  try {
    const running = await findShared(context, key);
    if (running || !config.gateway.share) return running;
    // Of clients that start at the same moment, one starts the gateway.
    const path = join(await openRunFolder(context.io.home), "auto.lock");
    using _lock = await lockFile(path, { timeoutMs: START_MS });
    return await openShared(context, key, { auto: true });
  } catch (error) {
    await context.print.warn(`Cannot use a shared gateway: ${messageOf(error)}`);
    return undefined;
  }
}
