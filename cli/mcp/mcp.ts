/** `toolscript mcp`: MCP on stdin and stdout, in front of the project's gateway. */

import { resolve } from "node:path";
import type { Config } from "#config";
import { buildInstructions, type McpAbout, serveMcpStdio } from "#gateway/mcp";
import { configuredPacks, configuredPurpose } from "#packs/configured";
import { readConfig } from "../config.ts";
import { connectTo } from "../gateway_connection.ts";
import { type Context, textOption } from "../context.ts";
import { attach, explicitGateway } from "./attach.ts";
import { createSwitch } from "./switch.ts";

/** Serves MCP before it looks for a gateway: agents wait for their servers at every start. */
export async function mcp(invocation: Context): Promise<number> {
  const context = inProject(invocation);
  return await serve(context, await readConfig(context));
}

/** Serves MCP to the client of stdin and stdout. */
export async function serve(context: Context, config: Config): Promise<number> {
  const { io } = context;
  const gatewayUrl = explicitGateway(context);
  if (gatewayUrl !== undefined) await connectTo(context, gatewayUrl);
  const backend = createSwitch({
    about: aboutOf(config, io),
    open: () => attach(context, { config, gatewayUrl }),
    cwd: io.cwd,
    now: io.now,
  });
  const stdio = serveMcpStdio(backend, {
    stdin: io.stdin.readable,
    write: (bytes) => io.stdout.write(bytes),
    maxMessageBytes: config.gateway.maxBodyBytes,
    graceMs: config.gateway.graceMs,
    onError: (error) => void context.print.warn(error.message).catch(() => {}),
    onMessageSent: () => backend.warm(),
  });
  const stopListening = io.onSignal(() => void stdio.close());
  try {
    await stdio.closed;
    return 0;
  } finally {
    stopListening();
    await backend[Symbol.asyncDispose]();
  }
}

/** The context in the folder of `--project`, else of `CLAUDE_PROJECT_DIR`, else where it is. */
export function inProject(context: Context): Context {
  const { io } = context;
  const folder = textOption(context, "project") ?? (io.env.CLAUDE_PROJECT_DIR || undefined);
  return folder === undefined
    ? context
    : { ...context, io: { ...io, cwd: resolve(io.cwd, folder) } };
}

export interface AboutOptions {
  readonly home: string;
  readonly version: string;
  /** True where the packs of the project are not in the configuration. */
  readonly isOpen?: boolean;
}

/** Builds what a client hears of this server, from the configuration alone. */
export function aboutOf(config: Config, { home, version, isOpen }: AboutOptions): McpAbout {
  const { prompts, servers, cacheDir } = config;
  const sources = { texts: prompts.packs, servers, cacheDir };
  const names = configuredPacks({ ...config, home, packs: { ...config.packs } });
  const packs = names.map((name) => ({ name, purpose: configuredPurpose(name, sources) }));
  return {
    version,
    direct: config.direct.length > 0,
    look: config.mcp.look,
    askTimeoutMs: config.security.askTimeoutMs,
    instructions: buildInstructions({ packs, extra: prompts.instructions, isOpen }),
  };
}
