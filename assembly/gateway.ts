/** One gateway: built, kept in step with its configuration, closed. */

import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "#base";
import type { RunningGateway } from "#cli";
import type { Config } from "#config";
import { removeRunFile, writeRunFile } from "#gateway";
import { markVariables } from "#gateway/running";
import { watchPacks } from "#packs";
import { type Base, type GatewayOptions, openBase } from "./base.ts";
import { buildEngine, type Engine, namesOf } from "./engine.ts";
import { type Front, openFront } from "./front.ts";
import { type ConfiguredPacks, createConfiguredPacks } from "./packs.ts";

export type { GatewayOptions };

/** Time for answers that are on their way when the last run has ended. */
const LAST_ANSWERS_MS = 1_000;

interface Gateway extends Base, Engine, Front {
  readonly packs: ConfiguredPacks;
}

/** Parts that end before all others. */
interface Outside {
  /** Undefined for a hidden gateway. */
  readonly runFile: string | undefined;
  readonly watched: Disposable;
}

/** Opens the port, starts the servers behind it, and answers until it is closed. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  if (options.config.isPartial) throw new TypeError("Cannot start with a partial configuration");
  const gateway = await build(options);
  const { listener, token, backend, live, packs, attachments } = gateway;
  live.onReload((next, before) => apply(gateway, next, before));
  const runFile = options.hidden ? undefined : await writeRunFileOf(gateway, options.config);
  const { home, config: { project, checksAbove } } = options;
  attachments.onStay(() => writeRunFileOf(gateway, live.current));
  gateway.log("info", "Listening", { url: listener.url, project, pid: Deno.pid });
  packs.start();
  const watched = watchPacks({ project, home, checksAbove }, () => void applyFiles(gateway));
  const lost = listener.lost.then(() => {
    gateway.log("error", "Another program has taken the port");
  });
  let closing: Promise<void> | undefined;
  return {
    url: listener.url,
    token,
    mcp: backend,
    left: Promise.race([attachments.left, lost]),
    reload: () => live.reload(),
    close: () => closing ??= close(gateway, { runFile, watched }),
  };
}

/** Builds all parts, each from those before it. */
async function build(options: GatewayOptions): Promise<Gateway> {
  const base = await openBase(options);
  const engine = buildEngine(base);
  const packs = createConfiguredPacks({ ...base, ...engine });
  void packs.replace(options.config); // none were there before
  const front = openFront({ ...base, ...engine, packs });
  return { ...base, ...engine, packs, ...front };
}

/** Applies another configuration (OT-14). Runs and calls under way end under the one they began
 * with. Returns the changes that the configuration does not show. */
async function apply(gateway: Gateway, next: Config, before: Config): Promise<JsonObject> {
  const { telemetry, packs, catalog, sandbox, backend } = gateway;
  telemetry.conceal(next.secrets);
  const replaced = packs.replace(next);
  catalog.update(namesOf(next));
  if (!isDeepStrictEqual(next.sandbox, before.sandbox)) sandbox.refresh("limits");
  backend.update({ servers: packs.servers(), direct: next.direct });
  if (next.mcp.look !== before.mcp.look) backend.toolsChanged();
  await replaced;
  packs.start();
  const isOther = next.file !== before.file || next.variables !== before.variables;
  if (isOther) await writeRunFileOf(gateway, next);
  const workers = packs.changes();
  return Object.keys(workers).length > 0 ? { workers } : {};
}

/** Applies a change of the files that hold packs. */
async function applyFiles({ live, packs }: Gateway): Promise<void> {
  await packs.replaceExtensions(live.current);
  packs.startExtensions();
}

async function writeRunFileOf(
  { options, listener, token, attachments }: Gateway,
  { file, variables }: Config,
): Promise<string> {
  const { home, version, session, shared, config: { project } } = options;
  return writeRunFile({
    home,
    url: listener.url,
    token,
    version,
    project,
    session,
    shared,
    ...(attachments.isAuto() ? { auto: true } : {}),
    // Clients look for a shared one alone.
    variables: shared ? await markVariables(home, variables) : null,
    config: file,
  });
}

async function close(gateway: Gateway, { runFile, watched }: Outside): Promise<void> {
  const { live, runner, mcp, listener, telemetry } = gateway;
  const { backend, catalog, sandbox, checker, reader, registry, packs } = gateway;
  const { watcher, statistics, shapes, habits } = gateway;
  watched[Symbol.dispose]();
  gateway.journal[Symbol.dispose]();
  if (runFile !== undefined) await removeRunFile(runFile);
  // The port stays open for the calls of runs under way; a new run is refused by the runner.
  const { graceMs } = live.current.gateway;
  const deadline = performance.now() + graceMs;
  await runner.close(graceMs);
  gateway.events[Symbol.dispose]();
  gateway.attachments[Symbol.dispose]();
  await mcp[Symbol.asyncDispose](); // its streams would hold the port open
  await listener.close(Math.max(LAST_ANSWERS_MS, deadline - performance.now()));
  await dispose([backend, catalog, sandbox, checker, reader, registry, packs]);
  await dispose([watcher, statistics, shapes, habits]);
  await dispose([telemetry]); // the others log until they have ended
}

async function dispose(parts: readonly AsyncDisposable[]): Promise<void> {
  await Promise.all(parts.map((part) => part[Symbol.asyncDispose]()));
}
