/** The program: builds the parts and hands them to one another. */

import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import manifest from "./deno.json" with { type: "json" };
import type { Config } from "#config";
import type { CallAnother, CheckedPacks, Pack, ServerPack, Watcher, WorkerPack } from "#packs";
import type { RunOptions, RunRequest } from "#runtime";
import type { JsonObject, Log, Tracer } from "#sandbox";
import type { Telemetry } from "#telemetry";
import {
  type CheckOptions,
  type CliIo,
  onReload,
  onSignal,
  openPerson,
  type OpenSink,
  openSink,
  runCli,
  type RunningGateway,
  type Sink,
  type StartGatewayOptions,
  trustText,
} from "#cli";

const VERSION = manifest.version;
/** For answers that are on their way when the last run has ended. */
const LAST_ANSWERS_MS = 1_000;

export interface GatewayOptions extends StartGatewayOptions {
  /** The folder that `.onetool/run/` lies in. */
  readonly home: string;
  /** Where a log may go that was asked for there. */
  readonly stderr?: Sink;
}

/** Opens the port, starts the servers behind it, and answers until it is closed. What the
 * configuration can change meanwhile is read from `live` each time. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const parts = await loadParts();
  const { config, home, shared, session, lazy, load } = options;
  const { host, port, maxBodyBytes } = config.gateway;
  const token = secret();
  const telemetry = await openTelemetry(options, token);
  const { log, tracer } = telemetry;
  const live = parts.createLiveConfig({ first: config, load, apply, log });
  const started = performance.now();
  const listener = parts.listen({ host, port });
  const watcher = parts.createWatcher({ log });
  const results = parts.createResultStore({
    folder: config.output.folder,
    get ttlMs() {
      return live.current.output.resultTtlMs;
    },
    now: Date.now,
  });
  const sources = createPackSources(parts, {
    ...{ log, tracer, watcher, home, lazy, closes: () => live.current.closed },
    callAnother: (call, options) => parts.callWithin(registry, call, options),
    trusts: ({ scope }) => scope === "home" || parts.holdsForTools(live.current.trust),
  });
  let servers = sources.servers(config);
  let extensions = sources.extensions(config);
  const statistics = parts.createStatistics({
    folder: config.stats.folder,
    settings: () => live.current.stats,
    registry: () => registry,
    sent: () => parts.directFilter(live.current.direct),
    offered: () => `${JSON.stringify(parts.runTool())}${backend.about().instructions}`,
    ...{ log, now: Date.now, clock: () => performance.now() },
  });
  const finder = parts.createFinder({
    registry: () => registry,
    vocabulary: () => live.current,
  });
  const registry = parts.createRegistry(packsOf(config), {
    log,
    tracer,
    witness: statistics.witness,
    graceMs: config.gateway.graceMs,
    policy: parts.createSecurityPolicy(config.security),
  });
  const confirmations = parts.createConfirmations({ now: Date.now, newId: secret });
  const checker = parts.createChecker({ log, deno: Deno.execPath() });
  const reader = parts.createProgramReader();
  const sandbox = parts.createSandbox({
    origin: listener.url,
    get limits() {
      return { ...live.current.sandbox, stdinBytes: maxBodyBytes };
    },
    get concurrent() {
      return live.current.sandbox.concurrent;
    },
    get queue() {
      return live.current.sandbox.queue;
    },
    get pool() {
      return live.current.sandbox.pool;
    },
    preload: () => catalog.expression(),
    log,
    deno: Deno.execPath(),
  });
  const catalog = parts.createCatalog({
    registry,
    checker,
    reader,
    emitter: parts.createEmitter(),
    names: namesOf(config),
    onModule: () => sandbox.refresh(),
    log,
  });
  const runner = parts.createRunner({
    reader,
    sandbox,
    answerCall: parts.createCallAnswerer({
      maxBytes: () => live.current.sandbox.callBytes,
      log,
    }),
    checker,
    catalog,
    registry,
    writer: parts.createReplyWriter({
      store: results,
      get maxInlineBytes() {
        return live.current.output.maxInlineBytes;
      },
      get previewLines() {
        return live.current.output.previewLines;
      },
    }),
    confirmations,
    get limits() {
      return live.current.sandbox;
    },
    get check() {
      return live.current.sandbox.check;
    },
    get sanitize() {
      return live.current.security.sanitize;
    },
    log,
    tracer,
    now: () => performance.now(),
    runId: () => `r_${secret()}`,
    onRun: statistics.onRun,
  });
  const backend = parts.createMcpBackend({
    version: VERSION,
    registry,
    servers,
    direct: config.direct,
    results: parts.createResultSource(results),
    get instructions() {
      return live.current.prompts.instructions;
    },
    run: (request, options) => runner.run(request, options),
    trust: parts.createTrustAsker({ home, load, live, show: trustText }),
    cwd: config.project,
    get askTimeoutMs() {
      return live.current.security.askTimeoutMs;
    },
    newId: secret,
    log,
  });
  const mcp = parts.createMcpHttp({
    backend,
    newId: secret,
    now: () => performance.now(),
    maxBodyBytes,
    log,
  });
  const guard = parts.createGuard({ hosts: [host], port: () => listener.port, token });
  const app = parts.createApp({
    version: VERSION,
    registry,
    finder,
    catalog,
    runner,
    sandbox,
    confirmations,
    ...{ guard, mcp },
    project: config.project,
    get askTimeoutMs() {
      return live.current.security.askTimeoutMs;
    },
    get limits() {
      return { bodyBytes: maxBodyBytes, callBytes: live.current.sandbox.callBytes };
    },
    log,
    newId: secret,
    uptimeSeconds: () => Math.round((performance.now() - started) / 1000),
  });
  listener.handle(parts.createEntrance({ app, guard, sandbox }));
  const { project } = config;
  const about = { home, url: listener.url, token, version: VERSION, project, session, shared };
  const runFile = options.hidden
    ? undefined
    : await parts.writeRunFile({ ...about, config: config.file });
  log("info", "Listening", { url: listener.url, project, pid: Deno.pid });
  for (const pack of [...servers, ...extensions]) pack.start();
  const following = parts.watchPacks({ project, home }, () => void takeExtensions());

  /** Takes in what changed (OT-14). What has begun goes on with what it began with. */
  async function apply(next: Config, before: Config): Promise<JsonObject> {
    telemetry.conceal(next.secrets);
    const known = servers;
    servers = sources.servers(next);
    extensions = sources.extensions(next);
    const replaced = registry.replace(
      packsOf(next),
      parts.createSecurityPolicy(next.security),
    );
    catalog.update(namesOf(next));
    if (!isDeepStrictEqual(next.sandbox, before.sandbox)) sandbox.refresh("limits");
    backend.update({ servers, direct: next.direct });
    await replaced;
    for (const server of servers) {
      const { state } = server.status();
      const isLost = state === "disconnected" || state === "needs-auth";
      if (isLost || !known.includes(server)) server.start();
    }
    for (const pack of extensions) pack.start();
    if (next.file !== before.file) await parts.writeRunFile({ ...about, config: next.file });
    const workers = sources.changedExtensions();
    return Object.keys(workers).length > 0 ? { workers } : {};
  }

  /** A pack's file has come, or gone. */
  async function takeExtensions(): Promise<void> {
    const { current } = live;
    extensions = sources.extensions(current);
    await registry.replace(packsOf(current), parts.createSecurityPolicy(current.security));
    for (const pack of extensions) pack.start();
  }

  function namesOf({ alias: aliases, snippets, projects, security: lists }: Config) {
    return { aliases, snippets, projects, lists };
  }

  /** The built-in ones last, so that names go to what the user has configured. */
  function packsOf(config: Config): Pack[] {
    const packs = [...localPacks(config), ...servers, ...extensions, ...sources.builtin(config)];
    return [...packs, ...parts.untrustedServers(config.trust.servers, packs)];
  }

  /** Those that the configuration fills: made anew with it, they hold nothing. */
  function localPacks(config: Config): Pack[] {
    const { projects, snippets, project: cwd } = config;
    const run = (request: RunRequest, options: RunOptions) => runner.run(request, options);
    return [
      parts.createOtPack({
        version: VERSION,
        registry: () => registry,
        finder,
        docs: config.docs,
        store: results,
        maxInlineBytes: config.output.maxInlineBytes,
        aliases: config.alias,
        snippets,
        instructions: config.prompts.packs,
        cwd,
        deno: Deno.version.deno,
        sandbox: () => ({ ...sandbox.status() }),
        direct: config.direct,
        statistics,
        notify: { ...config.notify, now: Date.now },
        closed: sources.closed,
        reload: () => live.reload(),
      }),
      ...(projects.length > 0 ? [parts.createProjPack(projects)] : []),
      ...(Object.keys(snippets).length > 0
        ? [parts.createSnippetPack({ snippets, run, cwd })]
        : []),
    ];
  }

  async function close(): Promise<void> {
    following[Symbol.dispose]();
    if (runFile !== undefined) await parts.removeRunFile(runFile);
    // The port stays open for the calls of runs under way; a new run is refused by the runner.
    const { graceMs } = live.current.gateway;
    const deadline = performance.now() + graceMs;
    await runner.close(graceMs);
    await mcp[Symbol.asyncDispose](); // its streams would hold the port open
    await listener.close(Math.max(LAST_ANSWERS_MS, deadline - performance.now()));
    const held = [backend, catalog, sandbox, checker, reader, registry];
    await Promise.all(held.map((part) => part[Symbol.asyncDispose]()));
    await Promise.all([watcher, statistics].map((part) => part[Symbol.asyncDispose]()));
    await telemetry[Symbol.asyncDispose](); // the last, for what the others have to say
  }
  let closing: Promise<void> | undefined;
  return {
    url: listener.url,
    token,
    mcp: backend,
    reload: () => live.reload(),
    close: () => closing ??= close(),
  };
}

/** Loads every pack of a project and of the home folder once, as a gateway would. */
async function checkPacks(
  { config, home, log, signal }: CheckOptions & { readonly home: string },
): Promise<CheckedPacks> {
  const parts = await loadParts();
  await using watcher = parts.createWatcher({ log });
  const { project, cacheDir, servers } = config;
  const deno = Deno.execPath();
  return await parts.checkPacks({
    ...{ project, home, signal, ...parts.packSettings(config) },
    servers: servers.map(({ name }) => name),
    deps: {
      ...{ log, watcher, project, home, cacheDir, deno },
      describe: parts.createModuleDescriber({ deno }),
      environment: Deno.env.toObject(),
      callAnother: () => Promise.reject(new Error("No other tool can be called while loading")),
    },
  });
}

type Parts = Awaited<ReturnType<typeof loadParts>>;

interface PackContext {
  readonly log: Log;
  readonly tracer: Tracer;
  readonly watcher: Watcher;
  readonly home: string;
  readonly lazy?: boolean;
  readonly closes: () => Config["closed"];
  readonly callAnother: CallAnother;
  readonly trusts: (file: { readonly scope: string }) => boolean;
}

/** Where packs come from that a configuration names; each stays as long as its settings do. */
function createPackSources(parts: Parts, { home, lazy, ...context }: PackContext) {
  const keepers = {
    servers: parts.createPackKeeper<ServerPack>(),
    builtin: parts.createPackKeeper(),
    extensions: parts.createPackKeeper<WorkerPack>(),
  };
  const describe = parts.createModuleDescriber({ deno: Deno.execPath() });
  const environment = Deno.env.toObject();
  const deno = Deno.execPath();
  const closed = parts.createClosedPaths({ sources: context.closes, environment, now: Date.now });

  function servers({ servers, cacheDir }: Config): readonly ServerPack[] {
    const about = { ...context, fetch, now: Date.now, cacheDir, environment, lazy };
    return keepers.servers.take(servers.map((server) => {
      const make = () => parts.createServerPack(server, { ...about, clientVersion: VERSION });
      return { name: server.name, settings: server, make };
    }));
  }

  /** The packs of `.onetool/tools`; names go to what the configuration itself names. */
  function extensions(config: Config): readonly WorkerPack[] {
    const { project, cacheDir, workers } = config;
    const { plans } = parts.createExtensionPlans({
      ...{ project, home, log: context.log, ...parts.packSettings(config) },
      idleMs: workers.idleTimeoutMs,
      servers: config.servers.map(({ name }) => name),
      deps: { ...context, describe, project, home, cacheDir, environment, deno },
    });
    return keepers.extensions.take(plans);
  }

  function builtin({ packs, project }: Config): readonly Pack[] {
    const deps = { project, fetch, now: Date.now, log: context.log, closed, environment, deno };
    const settings: Readonly<Record<string, unknown>> = { ...packs };
    return keepers.builtin.take(
      parts.createBuiltinPacks(packs, deps).map((pack) => {
        return { name: pack.name, settings: settings[pack.name], make: () => pack };
      }),
    );
  }

  const changedExtensions = () => keepers.extensions.changes();
  return { servers, extensions, builtin, closed, changedExtensions };
}

/** The gateway's log and traces; its own token stands in neither. */
async function openTelemetry(
  { config, verbose = false, shared, log: tell, stderr }: GatewayOptions,
  token: string,
): Promise<Telemetry> {
  const { logPlaces, openTelemetry } = await import("#telemetry");
  const env = Deno.env.toObject();
  return await openTelemetry({
    ...logPlaces({ settings: config.logging, env, shared, verbose, stderr, root: config.project }),
    tell,
    env,
    secrets: [token, ...config.secrets],
    version: VERSION,
    now: Date.now,
    clock: () => performance.now(),
  });
}

/** Loaded only where a gateway is needed: the command line alone starts in a fraction of this. */
async function loadParts() {
  const [config, gateway, runtime, packs, sandbox] = await Promise.all([
    import("#config"),
    import("#gateway"),
    import("#runtime"),
    import("#packs"),
    import("#sandbox"),
  ]);
  return { ...config, ...gateway, ...runtime, ...packs, ...sandbox };
}

/** 192 random bits in the URL's alphabet. */
function secret(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
}

function createIo(): CliIo & Record<"stdout" | "stderr", OpenSink> {
  const env = Deno.env.toObject();
  const stderr = openSink(Deno.stderr, env);
  const home = env.HOME || homedir();
  return {
    stdout: openSink(Deno.stdout, env),
    stderr,
    stdin: {
      get isTerminal() {
        return Deno.stdin.isTerminal();
      },
      get readable() {
        return Deno.stdin.readable;
      },
    },
    get person() {
      return Deno.stderr.isTerminal() ? openPerson() : undefined;
    },
    env,
    cwd: Deno.cwd(),
    home,
    version: VERSION,
    program: restart(),
    now: Date.now,
    fetch,
    startGateway: (options) => startGateway({ ...options, home, stderr }),
    checkPacks: (options) => checkPacks({ ...options, home }),
    onSignal,
    onReload,
  };
}

/** The command that starts this program again: the compiled one alone, else Deno with this file. */
function restart(): readonly string[] {
  if (Deno.build.standalone) return [Deno.execPath()];
  const config = fileURLToPath(new URL("./deno.json", import.meta.url));
  const flags = ["run", "-A", "--quiet", "--no-check", `--config=${config}`];
  return [Deno.execPath(), ...flags, fileURLToPath(import.meta.url)];
}

/** Gateways of this machine are reached directly, whatever proxy its network has. */
function reachLoopbackDirectly(): void {
  const known = Deno.env.get("NO_PROXY") || Deno.env.get("no_proxy");
  const hosts = [known, "127.0.0.1", "localhost", "::1"].filter(Boolean).join(",");
  for (const name of ["NO_PROXY", "no_proxy"]) Deno.env.set(name, hosts);
}

if (import.meta.main) {
  reachLoopbackDirectly();
  const io = createIo();
  const code = await runCli(Deno.args, io);
  await Promise.all([io.stdout.flush(), io.stderr.flush()]);
  Deno.exit(code);
}
