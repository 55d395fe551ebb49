/** `toolscript mcp open`, for `npm/bridge/`: a line with the first answers to the client, then a line
 * with the gateway. Where the client has no gateway with others, this process serves it. */

import { resolve } from "node:path";
import type { Config } from "#config";
import { CWD_HEADER, serveMcpStdio } from "#gateway/mcp";
import { complete, loadWhole, readConfig } from "../config.ts";
import { type Context, textOption } from "../context.ts";
import { logTo, logUncaught, onFreePort } from "../gateway_connection.ts";
import { findForClient } from "./attach.ts";
import { aboutOf, factsOf } from "./facts.ts";

export async function open(invocation: Context): Promise<number> {
  const context = inProject(invocation);
  const config = await readConfig(context);
  await tell(context, await factsOf(config, aboutOf(config, context.io)));
  const gateway = await findForClient(context, config);
  if (!gateway) return await serve(context, config);
  const { url, token } = gateway;
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    [CWD_HEADER]: encodeURIComponent(context.io.cwd),
  };
  await tell(context, { attach: { url: `${url}/attach`, headers } });
  return 0;
}

/** The context in the folder of `--project`, else of `CLAUDE_PROJECT_DIR`, else where it is. */
function inProject(context: Context): Context {
  const { io } = context;
  const folder = textOption(context, "project") ?? (io.env.CLAUDE_PROJECT_DIR || undefined);
  return folder === undefined
    ? context
    : { ...context, io: { ...io, cwd: resolve(io.cwd, folder) } };
}

/** Serves the client of stdin and stdout by a gateway inside this process. */
async function serve(context: Context, config: Config): Promise<number> {
  const { io, options } = context;
  const leaving = Promise.withResolvers<void>();
  const stopListening = io.onSignal(() => leaving.resolve());
  const stopCatching = io.onUncaught(logUncaught(logTo(context)));
  const gateway = await io.startGateway({
    config: onFreePort(await complete(context, config)),
    load: async () => onFreePort(await loadWhole(context)),
    log: logTo(context),
    verbose: options.verbose === true,
    shared: false,
    session: null,
    lazy: true,
  });
  try {
    await tell(context, { serves: true });
    const stdio = serveMcpStdio(gateway.mcp, {
      stdin: io.stdin.readable,
      write: (bytes) => io.stdout.write(bytes),
      maxMessageBytes: config.gateway.maxBodyBytes,
      graceMs: config.gateway.graceMs,
      onError: (error) => void context.print.warn(error.message).catch(() => {}),
    });
    void leaving.promise.then(() => stdio.close());
    await stdio.closed;
    return 0;
  } finally {
    stopListening();
    await gateway.close();
    stopCatching();
  }
}

async function tell({ io }: Context, line: unknown): Promise<void> {
  await io.stdout.write(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
}
