/** `toolscript gateway start`: in the foreground, or detached. */

import type { Config } from "#config";
import { complete, loadAnew, loadWhole, readConfig } from "../config.ts";
import {
  findShared,
  type GatewayKey,
  keepRunning,
  logTo,
  logUncaught,
} from "../gateway_connection.ts";
import { type Context, textOption } from "../context.ts";
import { CliError } from "../error.ts";
import type { RunningGateway } from "../io.ts";
import { isLoopback } from "../loopback.ts";
import { askTrust } from "../trust/grant.ts";
import { openShared } from "./open_shared.ts";
import { join } from "node:path";
import { lockFile } from "#files";
import { openRunFolder } from "#gateway/running";

const LOCK_TIMEOUT_MS = 30_000;

export async function start(context: Context): Promise<number> {
  const port = readPort(context);
  const first = await readConfig(context);
  const config = await askTrust(context, first.trust) ? await loadAnew(context) : first;
  const auto = context.options.auto === true;
  const key = {
    ...config,
    session: textOption(context, "session"),
    ...(auto ? { sameVariables: config.variables } : {}),
  };
  if (context.options.detach === true) {
    const { url } = await openShared(context, key);
    await context.print.data(`Listening on ${url}`);
    return 0;
  }

  const ended = Promise.withResolvers<void>();
  const stopListening = context.io.onSignal(() => ended.resolve());
  const stopCatching = context.io.onUncaught(logUncaught(logTo(context)));
  try {
    const opened = await openOnce(context, { config, key, port });
    await context.print.data(`Listening on ${opened.url}`);
    const { gateway } = opened;
    if (gateway === undefined) return 0;
    gateway.left.then(() => ended.resolve());
    const stopReloading = context.io.onReload(() => void gateway.reload().catch(() => {})); // it is logged
    await ended.promise;
    stopReloading();
    await gateway.close();
    return 0;
  } finally {
    stopListening();
    stopCatching();
  }
}

interface OpenOptions {
  readonly config: Config;
  readonly key: GatewayKey;
  readonly port: number | undefined;
}

/** Opens the gateway, unless the same one is already running. */
async function openOnce(
  context: Context,
  { config, key, port }: OpenOptions,
): Promise<{ readonly url: string; readonly gateway?: RunningGateway }> {
  const { io } = context;
  using _lock = await lockStart(io.home, LOCK_TIMEOUT_MS);
  const running = await findShared(context, key);
  const auto = context.options.auto === true;
  if (running && !auto) await keepRunning(context, running);
  if (running) return { url: running.url };
  const host = textOption(context, "host") ?? config.gateway.host;
  const listen = { host, port: port ?? config.gateway.port };
  if (!isLoopback(host)) {
    await context.print.warn(`Other machines can reach the gateway at "${host}"`);
  }
  const whole = await complete(context, config);
  const gateway = await io.startGateway({
    config: { ...whole, gateway: { ...whole.gateway, ...listen } },
    load: async () => {
      // Options of the command line win over the reloaded configuration.
      const next = await loadWhole(context);
      const host = textOption(context, "host") ?? next.gateway.host;
      return { ...next, gateway: { ...next.gateway, host, port: port ?? next.gateway.port } };
    },
    log: logTo(context),
    verbose: context.options.verbose === true,
    shared: true,
    auto,
    session: key.session ?? null,
    lazy: false,
  }).catch((cause) => {
    throw listenError(cause, listen);
  });
  return { url: gateway.url, gateway };
}

function readPort(context: Context): number | undefined {
  const text = textOption(context, "port");
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new CliError(2, `Cannot take "--port ${text}": it must be a number from 0 to 65535`);
}

function listenError(
  cause: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): unknown {
  if (cause instanceof Deno.errors.AddrInUse) {
    const message = `Cannot listen on ${host}:${port}: the port is taken: choose another --port`;
    return new CliError(1, message, { cause });
  }
  if (cause instanceof Deno.errors.AddrNotAvailable) {
    const message = `Cannot listen on ${host}:${port}: no such address here: change --host`;
    return new CliError(1, message, { cause });
  }
  if (cause instanceof Deno.errors.PermissionDenied) {
    const message = `Cannot listen on ${host}:${port}: not permitted: choose a port over 1023`;
    return new CliError(1, message, { cause });
  }
  return cause;
}

/** Takes the user's start lock until disposal. The system frees it when the process ends. */
async function lockStart(home: string, timeoutMs: number): Promise<Disposable> {
  const lock = await lockFile(join(await openRunFolder(home), "start.lock"), { timeoutMs });
  if (lock) return lock;
  throw new Error("Cannot start the gateway: another start is still under way: try again");
}
