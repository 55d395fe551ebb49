/** `ot.config` and `ot.health`: what is configured, and how it fares. */

import type { PackState } from "#packs";
import type { JsonObject } from "#sandbox";
import type { OtDeps } from "./deps.ts";

/** What a server may be in without anything being wrong (OT-11). */
const FINE: ReadonlySet<PackState> = new Set(["connected", "idle", "disabled"]);

/** Names only: no commands, addresses or secrets. */
export function configSummary({ aliases, snippets, registry }: OtDeps): JsonObject {
  return {
    aliases: { ...aliases },
    snippets: Object.fromEntries(
      Object.entries(snippets).map(([name, { description = "" }]) => [name, { description }]),
    ),
    servers: servers(registry()).map(({ name }) => name),
  };
}

/** The state of every part. */
export function health({ version, deno, cwd, registry, sandbox }: OtDeps): JsonObject {
  const states = servers(registry()).map((pack) => [pack.name, pack.status().state] as const);
  return {
    version,
    deno,
    cwd,
    registry: { status: "ok", tool_count: registry().entries().length },
    proxy: {
      status: states.every(([, state]) => FINE.has(state)) ? "ok" : "degraded",
      server_count: states.length,
      servers: Object.fromEntries(states),
    },
    sandbox: sandbox(),
  };
}

function servers(registry: ReturnType<OtDeps["registry"]>) {
  return registry.packs().filter(({ source }) => source.startsWith("proxy:"));
}
