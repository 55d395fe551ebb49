/** `ot.config` and `ot.health`: the configuration, and the state of its parts. */

import type { JsonObject } from "#base";
import { missingDirect, type Pack, type PackState } from "#packs";
import { VERSION as TYPESCRIPT } from "../check/launch.ts";
import type { OtDeps } from "./deps.ts";

/** States of a server or a worker that are no problem (OT-11). */
const FINE: ReadonlySet<PackState> = new Set(["connected", "idle", "disabled"]);

/** Names only: no commands, addresses or secrets (OT-08). */
export function configSummary({ aliases, snippets, registry }: OtDeps): JsonObject {
  return {
    aliases: { ...aliases },
    snippets: Object.fromEntries(
      Object.entries(snippets).map(([name, { description = "" }]) => [name, { description }]),
    ),
    servers: registry().packs().filter(isServer).map(({ name }) => name),
  };
}

/** The state of every part, names and states alone (OT-10). */
export function health(deps: OtDeps): JsonObject {
  const { version, deno, cwd, registry, sandbox, direct } = deps;
  const packs = registry().packs();
  const servers = statesOf(packs.filter(isServer));
  const workers = statesOf(packs.filter((pack) => pack.status().transport === "worker"));
  return {
    version,
    deno,
    typescript: TYPESCRIPT,
    cwd,
    registry: { status: "ok", tool_count: registry().entries().length },
    proxy: { status: servers.status, server_count: servers.count, servers: servers.states },
    workers: { status: workers.status, worker_count: workers.count, workers: workers.states },
    ...(direct.length > 0 ? { direct: directHealth(missingDirect(direct, packs)) } : {}),
    sandbox: sandbox(),
  };
}

function directHealth(problems: readonly string[]): JsonObject {
  return { status: problems.length === 0 ? "ok" : "degraded", problems: [...problems] };
}

function isServer({ source }: Pack): boolean {
  return source.startsWith("proxy:");
}

function statesOf(packs: readonly Pack[]) {
  const states = packs.map((pack) => [pack.name, pack.status().state] as const);
  return {
    status: states.every(([, state]) => FINE.has(state)) ? "ok" : "degraded",
    count: packs.length,
    states: Object.fromEntries(states),
  };
}
