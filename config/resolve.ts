/** Fills in every default: from what was written to what is used. */

import { join } from "node:path";
import type { ServerConfig } from "#packs";
import type { RawConfig } from "./schema.ts";
import { resolveServer, type ServerProblem } from "./servers.ts";
import type { Config } from "./types.ts";

const MB = 1024 * 1024;

export interface ResolveOptions {
  readonly project: string;
  readonly file: string | null;
  readonly home: string;
  /** Processors of this machine. */
  readonly cores: number;
  /** Called for each server that cannot be used; it is left out. */
  readonly onProblem: (name: string, problem: ServerProblem) => void;
}

/** The configuration as the program uses it. */
export function resolveConfig(raw: RawConfig, options: ResolveOptions): Config {
  const { project, file } = options;
  return {
    project,
    file,
    servers: resolveServers(raw, options),
    direct: raw.direct ?? [],
    security: { enabled: raw.security?.enabled ?? true },
    sandbox: resolveSandbox(raw.sandbox ?? {}, options.cores),
    gateway: {
      host: raw.gateway?.host ?? "127.0.0.1",
      port: raw.gateway?.port ?? 0,
      maxBodyBytes: Math.round((raw.gateway?.max_body_mb ?? 16) * MB),
      graceMs: (raw.gateway?.grace ?? 10) * 1000,
    },
    cacheDir: join(project, ".onetool", "cache"),
    warnings: [],
  };
}

function resolveServers(raw: RawConfig, options: ResolveOptions): ServerConfig[] {
  const servers: ServerConfig[] = [];
  for (const [name, server] of raw.servers ?? []) {
    const resolved = resolveServer(name, server, options);
    if ("message" in resolved) options.onProblem(name, resolved);
    else servers.push(resolved);
  }
  return servers;
}

function resolveSandbox(raw: NonNullable<RawConfig["sandbox"]>, cores: number): Config["sandbox"] {
  return {
    timeoutMs: (raw.timeout ?? 60) * 1000,
    cpuSeconds: raw.cpu ?? 30,
    memoryMb: raw.memory_mb ?? 512,
    outputBytes: Math.round((raw.output_mb ?? 4) * MB),
    calls: raw.calls ?? 1000,
    inFlight: raw.in_flight ?? 32,
    callBytes: Math.round((raw.call_mb ?? 1) * MB),
    concurrent: number(raw.concurrent) ?? Math.max(4, cores * 2),
    queue: raw.queue ?? 100,
    pool: number(raw.pool) ?? Math.min(4, Math.max(2, cores)),
    check: raw.check ?? "warn",
  };
}

function number(value: number | string | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
