/** The program: builds the parts and hands them to one another. */

import { runCli } from "#cli";
import type { Config } from "#config";
import { createApp, createGuard, listen, removeRunFile, writeRunFile } from "#gateway";
import { createRegistry, createServerPack, createWatcher, type ServerPack } from "#packs";
import { createCatalog, createChecker, createEmitter, createRunner } from "#runtime";
import { createSandbox, type Log } from "#sandbox";
import { createCliIo } from "./cli/process.ts";

const VERSION = "0.1.0";

export interface GatewayOptions {
  readonly config: Config;
  readonly home: string;
  readonly log: Log;
  /** Whether others may find and use it (`gateway start`, the hook's). */
  readonly shared: boolean;
  /** The agent's session that it was started for. */
  readonly session?: string;
  readonly host?: string;
  readonly port?: number;
}

export interface RunningGateway {
  readonly url: string;
  readonly token: string;
  /** Ends it: no new runs, up to `graceMs` for those under way, then a hard end. */
  close(graceMs?: number): Promise<void>;
}

/** Opens the port, starts the servers behind it, and answers until it is closed. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { config, home, log, shared, session } = options;
  const { host = config.gateway.host, port = config.gateway.port } = options;
  const token = secret();
  const started = performance.now();
  const listener = listen({ host, port });
  const watcher = createWatcher({ log });
  const packs = config.servers.map((server): ServerPack =>
    createServerPack(server, {
      log,
      watcher,
      cacheDir: config.cacheDir,
      version: VERSION,
      lazy: !shared,
    })
  );
  const registry = createRegistry(packs, { log });
  const checker = createChecker({ log, deno: Deno.execPath() });
  const emitter = createEmitter();
  const sandbox = createSandbox({
    origin: listener.url,
    limits: {
      timeoutMs: config.sandbox.timeoutMs,
      cpuSeconds: config.sandbox.cpuSeconds,
      memoryMb: config.sandbox.memoryMb,
      outputBytes: config.sandbox.outputBytes,
      stdinBytes: config.gateway.maxBodyBytes,
    },
    concurrent: config.sandbox.concurrent,
    queue: config.sandbox.queue,
    pool: shared ? config.sandbox.pool : 1,
    log,
    deno: Deno.execPath(),
  });
  const catalog = createCatalog({ registry, emitter, checker, onModule: sandbox.refresh, log });
  const runner = createRunner({
    sandbox,
    checker,
    catalog,
    registry,
    limits: config.sandbox,
    check: config.sandbox.check,
    now: () => performance.now(),
    runId: () => `r_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`,
  });
  listener.handle(
    createApp({
      version: VERSION,
      registry,
      catalog,
      runner,
      sandbox,
      guard: createGuard({ hosts: [host], port: () => listener.port, token }),
      limits: { bodyBytes: config.gateway.maxBodyBytes, callBytes: config.sandbox.callBytes },
      log,
      newId: secret,
      uptimeSeconds: () => Math.round((performance.now() - started) / 1000),
    }).fetch,
  );
  const runFile = await writeRunFile({
    home,
    url: listener.url,
    token,
    version: VERSION,
    project: config.project,
    config: config.file,
    session: session ?? null,
    shared,
  });
  for (const pack of packs) if (shared) pack.start();

  let closing: Promise<void> | undefined;
  async function close(graceMs: number): Promise<void> {
    await removeRunFile(runFile);
    await Promise.all([runner.close(graceMs), listener.close(graceMs)]);
    await Promise.all(
      [catalog, sandbox, checker, registry].map((part) => part[Symbol.asyncDispose]()),
    );
    await watcher[Symbol.asyncDispose]();
  }
  return {
    url: listener.url,
    token,
    close: (graceMs = config.gateway.graceMs) => closing ??= close(graceMs),
  };
}

/** 192 random bits in the URL's alphabet. */
function secret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return bytes.toBase64({ alphabet: "base64url" });
}

if (import.meta.main) {
  const io = createCliIo({ version: VERSION, startGateway });
  Deno.exit(await runCli(Deno.args, io));
}
