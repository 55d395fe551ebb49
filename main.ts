/** The program: builds the parts and hands them to one another. */

import { fileURLToPath } from "node:url";
import { type CliIo, runCli, type RunningGateway, type Sink, type StartGatewayOptions } from "#cli";
import { createApp, createGuard, listen, removeRunFile, writeRunFile } from "#gateway";
import { createRegistry, createServerPack, createWatcher } from "#packs";
import {
  createCatalog,
  createChecker,
  createEmitter,
  createProgramReader,
  createRunner,
} from "#runtime";
import { createSandbox } from "#sandbox";

const VERSION = "0.1.0";

export interface GatewayOptions extends StartGatewayOptions {
  readonly home: string;
}

/** Opens the port, starts the servers behind it, and answers until it is closed. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { config, home, log, shared, session, lazy } = options;
  const { host, port, maxBodyBytes, graceMs } = config.gateway;
  const token = secret();
  const started = performance.now();
  const listener = listen({ host, port });
  const watcher = createWatcher({ log });
  const packs = config.servers.map((server) =>
    createServerPack(server, {
      log,
      watcher,
      fetch,
      now: Date.now,
      cacheDir: config.cacheDir,
      environment: Deno.env.toObject(),
      clientVersion: VERSION,
      lazy,
    })
  );
  const registry = createRegistry(packs, { log });
  const checker = createChecker({ log, deno: Deno.execPath() });
  const reader = createProgramReader();
  const sandbox = createSandbox({
    origin: listener.url,
    limits: { ...config.sandbox, stdinBytes: maxBodyBytes },
    concurrent: config.sandbox.concurrent,
    queue: config.sandbox.queue,
    pool: config.sandbox.pool,
    log,
    deno: Deno.execPath(),
  });
  const catalog = createCatalog({
    registry,
    checker,
    emitter: createEmitter(),
    onModule: () => sandbox.refresh(),
    log,
  });
  const runner = createRunner({
    reader,
    sandbox,
    checker,
    catalog,
    registry,
    limits: config.sandbox,
    check: config.sandbox.check,
    now: () => performance.now(),
    runId: () => `r_${secret()}`,
  });
  const app = createApp({
    version: VERSION,
    registry,
    catalog,
    runner,
    sandbox,
    guard: createGuard({ hosts: [host], port: () => listener.port, token }),
    limits: { bodyBytes: maxBodyBytes, callBytes: config.sandbox.callBytes },
    log,
    newId: secret,
    uptimeSeconds: () => Math.round((performance.now() - started) / 1000),
  });
  listener.handle(app.fetch);
  const runFile = await writeRunFile({
    home,
    url: listener.url,
    token,
    version: VERSION,
    project: config.project,
    config: config.file,
    session,
    shared,
  });
  for (const pack of packs) pack.start();

  async function close(): Promise<void> {
    await removeRunFile(runFile);
    await Promise.all([runner.close(graceMs), listener.close(graceMs)]);
    const parts = [catalog, sandbox, checker, reader, registry];
    await Promise.all(parts.map((part) => part[Symbol.asyncDispose]()));
    await watcher[Symbol.asyncDispose]();
  }
  let closed: Promise<void> | undefined;
  return { url: listener.url, token, close: () => closed ??= close() };
}

/** 192 random bits in the URL's alphabet. */
function secret(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
}

function createIo(): CliIo {
  const env = Deno.env.toObject();
  const home = env.HOME ?? env.USERPROFILE ?? Deno.cwd();
  return {
    stdout: sink(Deno.stdout),
    stderr: sink(Deno.stderr),
    stdin: { isTerminal: Deno.stdin.isTerminal(), readable: Deno.stdin.readable },
    env,
    cwd: Deno.cwd(),
    home,
    version: VERSION,
    program: [Deno.execPath(), "run", "-A", "--quiet", fileURLToPath(import.meta.url)],
    now: Date.now,
    fetch,
    startGateway: (options) => startGateway({ ...options, home }),
    onSignal,
  };
}

function sink(stream: typeof Deno.stdout | typeof Deno.stderr): Sink {
  const isTerminal = stream.isTerminal();
  return {
    isTerminal,
    columns: isTerminal ? Deno.consoleSize().columns : 80,
    async write(data) {
      for (let sent = 0; sent < data.byteLength;) sent += await stream.write(data.subarray(sent));
    },
  };
}

function onSignal(listener: (signal: "SIGINT" | "SIGTERM") => void): () => void {
  const handlers = (["SIGINT", "SIGTERM"] as const)
    .map((signal) => [signal, () => listener(signal)] as const);
  for (const [signal, handler] of handlers) Deno.addSignalListener(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) Deno.removeSignalListener(signal, handler);
  };
}

if (import.meta.main) Deno.exit(await runCli(Deno.args, createIo()));
