/** Fills in every default: from what was written to what is used. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ClosedSources, ServerConfig } from "#packs";
import type { RawConfig } from "./schema.ts";
import { resolveServer, type ServerProblem } from "./servers.ts";
import type { JsonObject } from "#sandbox";
import { noTrust } from "./trust.ts";
import { expandPath } from "./find.ts";
import { resolvePacks } from "./resolve_packs.ts";
import type { Config, ProjectConfig, SnippetConfig } from "./types.ts";

const MB = 1024 * 1024;

export interface ResolveOptions {
  readonly project: string;
  readonly file: string | null;
  readonly home: string;
  /** The files that the configuration came from. */
  readonly own: Pick<ClosedSources, "configuration" | "secrets">;
  /** What a project says that is not trusted: what it would start is closed to programs. */
  readonly untrusted?: RawConfig;
  /** Processors of this machine. */
  readonly cores: number;
  /** Called for each server that cannot be used; it is left out. */
  readonly onProblem: (name: string, problem: ServerProblem) => void;
}

/** The configuration as the program uses it. */
export function resolveConfig(raw: RawConfig, options: ResolveOptions): Config {
  const { project, file } = options;
  const servers = resolveServers(raw, options);
  const projects = resolveProjects(raw.projects, options);
  const packs = resolvePacks(raw.packs ?? {}, options);
  const logging = resolveLogging(raw.logging ?? {}, options);
  return {
    project,
    file,
    servers,
    direct: raw.direct ?? [],
    alias: Object.fromEntries(raw.alias ?? []),
    snippets: resolveSnippets(raw.snippets),
    projects,
    prompts: {
      instructions: raw.prompts?.instructions ?? "",
      packs: Object.fromEntries(raw.prompts?.packs ?? []),
    },
    docs: {
      baseUrl: raw.docs?.base_url ?? "https://onetool.beycom.online/reference/tools",
      packs: Object.fromEntries(raw.docs?.packs ?? []),
    },
    security: resolveSecurity(raw.security ?? {}),
    output: {
      maxInlineBytes: raw.output?.max_inline_size ?? 50_000,
      previewLines: raw.output?.preview_lines ?? 10,
      resultTtlMs: (raw.output?.result_ttl ?? 3600) * 1000,
      folder: join(project, ".onetool", "tmp"),
    },
    sandbox: resolveSandbox(raw.sandbox ?? {}, options.cores),
    gateway: {
      host: raw.gateway?.host ?? "127.0.0.1",
      port: raw.gateway?.port ?? 0,
      maxBodyBytes: Math.round((raw.gateway?.max_body_mb ?? 16) * MB),
      graceMs: (raw.gateway?.grace ?? 10) * 1000,
    },
    logging,
    packs,
    workers: { idleTimeoutMs: (raw.workers?.idle_timeout ?? 600) * 1000 },
    stats: {
      enabled: raw.stats?.enabled ?? true,
      keepMs: (raw.stats?.keep_days ?? 365) * 86_400_000,
      folder: join(project, ".onetool", "stats"),
    },
    notify: resolveNotify(raw.notify, options),
    cacheDir: cacheFolder(options),
    closed: closedSources({ servers, projects, packs, logging }, options),
    secrets: [],
    trust: noTrust(project),
    warnings: [],
  };
}

/** Below the home folder: what lies in a project may have come with it. */
function cacheFolder({ home, project }: ResolveOptions): string {
  const hash = createHash("sha256").update(realPath(project)).digest("hex").slice(0, 32);
  return join(home, ".onetool", "cache", hash);
}

function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    // Removed meanwhile: nothing will be kept for it.
    return path;
  }
}

function closedSources(
  { servers, projects, packs, logging }: Pick<Config, "servers" | "projects" | "packs" | "logging">,
  options: ResolveOptions,
): ClosedSources {
  const { project, home, own, untrusted = {} } = options;
  const { allowed, writable } = packs.file;
  const named = resolveServers(untrusted, { ...options, onProblem() {} });
  return {
    ...{ project, home, allowed, writable, ...own },
    servers: [...servers, ...named],
    projects: projects.map(({ path }) => path),
    kept: logging.file === null ? [] : [logging.file],
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

function resolveSecurity(raw: NonNullable<RawConfig["security"]>): Config["security"] {
  return {
    enabled: raw.enabled ?? true,
    blocked: raw.blocked ?? [],
    ask: raw.ask ?? [],
    warned: raw.warned ?? [],
    allow: raw.allow ?? [],
    sanitize: raw.sanitize ?? "off",
    askTimeoutMs: (raw.ask_timeout ?? 120) * 1000,
  };
}

function resolveSnippets(raw: RawConfig["snippets"]): Config["snippets"] {
  const snippets = [...raw ?? []].map(([name, { description = "", params, body = "" }]) =>
    [name, { description, params: resolveParams(params), body }] as const
  );
  return Object.fromEntries(snippets);
}

type RawSnippet = NonNullable<RawConfig["snippets"]> extends ReadonlyMap<string, infer S> ? S
  : never;

/** A parameter that need not be given and has no default is `null`. */
function resolveParams(raw: RawSnippet["params"]): SnippetConfig["params"] {
  const params = [...raw ?? []].map(([name, { required, ...param }]) => {
    const optional = required === false && param.default === undefined;
    return [name, optional ? { ...param, default: null } : param] as const;
  });
  return Object.fromEntries(params) as SnippetConfig["params"];
}

function resolveProjects(raw: RawConfig["projects"], options: ResolveOptions): ProjectConfig[] {
  const { home, project } = options;
  return [...raw ?? []].flatMap(([name, given]) => {
    const { path, attrs } = typeof given === "string" ? { path: given, attrs: undefined } : given;
    if (path === undefined) return [];
    return [{
      name,
      path: expandPath(path, { home, base: project }),
      attrs: Object.fromEntries(attrs ?? []) as JsonObject,
    }];
  });
}

function resolveLogging(
  raw: NonNullable<RawConfig["logging"]>,
  { home, project }: ResolveOptions,
): Config["logging"] {
  return {
    level: raw.level ?? "info",
    stderrLevel: raw.level ?? "warning",
    file: raw.file === undefined ? null : expandPath(raw.file, { home, base: project }),
    format: raw.format ?? "auto",
    maxBytes: Math.round((raw.max_mb ?? 5) * MB),
    files: raw.files ?? 3,
  };
}

/** A topic without a pattern or a file is none. */
function resolveNotify(
  raw: RawConfig["notify"],
  { home, project }: ResolveOptions,
): Config["notify"] {
  const topics = (raw?.topics ?? []).flatMap(({ pattern, file }) =>
    pattern && file ? [{ pattern, file: expandPath(file, { home, base: project }) }] : []
  );
  return { topics, folders: [project, join(home, ".onetool")] };
}

/** The limits with every default filled in. */
export function resolveSandbox(
  raw: NonNullable<RawConfig["sandbox"]>,
  cores: number,
): Config["sandbox"] {
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
    pool: number(raw.pool) ?? 16,
    check: raw.check ?? "warn",
  };
}

function number(value: number | string | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
