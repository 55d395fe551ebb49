/** Status for every local client: names, states and counts, no secrets. */

import type { Pack, Registry } from "#packs";
import type { Sandbox } from "#sandbox";

export interface StatusSource {
  readonly version: string;
  readonly registry: Registry;
  readonly sandbox: Sandbox;
  readonly uptimeSeconds: () => number;
}

/** Body of `GET /status`. */
export function statusOf(source: StatusSource): Record<string, unknown> {
  const servers = source.registry.packs().filter(isServer).map((pack) => {
    const { state, transport, error } = pack.status();
    return [pack.name, { status: state, transport, tools: pack.tools().length, error }];
  });
  const workers = source.registry.packs().filter((pack) => pack.source === "worker").map((pack) => {
    const { state, error } = pack.status();
    return [pack.name, { status: state, tools: pack.tools().length, error }];
  });
  return {
    version: source.version,
    uptime_s: source.uptimeSeconds(),
    servers: Object.fromEntries(servers),
    workers: Object.fromEntries(workers),
    sandbox: source.sandbox.status(),
  };
}

/** Response to `GET /ready`: 200 when no server is still connecting. */
export function readiness(registry: Registry): Response {
  const pending = registry.packs().filter((pack) => pack.status().state === "connecting")
    .map(({ name }) => name);
  const ready = pending.length === 0;
  return Response.json({ ready, pending }, { status: ready ? 200 : 503 });
}

function isServer(pack: Pack): boolean {
  return pack.source.startsWith("proxy:");
}
