/** Makes the configuration that is used of a checked one. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { attempt, isObject, type JsonObject } from "#base";
import type { ClosedSources, DeclaredEffects, ServerConfig } from "#packs";
import { readEffect } from "#packs/effect";
import { accountServers } from "#packs/server";
import { postgresFiles } from "#packs/settings";
import type { RuleContext } from "#packs/rules";
import type { CheckedConfig } from "./schema.ts";
import { resolveServer, type ServerProblem } from "./servers.ts";
import type { Config, ProjectConfig, SnippetConfig } from "./types.ts";

export interface ResolveOptions {
  readonly context: RuleContext;
  readonly file: string | null;
  /** The files that the configuration came from. */
  readonly own: Pick<ClosedSources, "configuration" | "secrets">;
  /** Settings of a project that is not trusted: what it would start is closed to programs. */
  readonly untrusted?: CheckedConfig;
  /** Settings of the home folder, where the project may have others by the same names. */
  readonly homes?: CheckedConfig;
  /** Tells that a server is one of the home folder's configuration. */
  readonly isHomes: (server: string) => boolean;
  /** Called for each server that cannot be used; it is left out. */
  readonly onProblem: (name: string, problem: ServerProblem) => void;
}

/** Parts of the configuration that follow from its settings. */
export type ResolvedConfig = Omit<
  Config,
  "rules" | "secrets" | "isPartial" | "checksAbove" | "variables" | "trust" | "warnings"
>;

/** The settings as the program uses them. */
export function resolveConfig(checked: CheckedConfig, options: ResolveOptions): ResolvedConfig {
  const { context: { home, project }, file } = options;
  const { direct, alias, prompts, docs, security, mcp, sandbox, gateway, packs, workers, types } =
    checked;
  const servers = resolveServers(checked, options);
  const projects = resolveProjects(checked.projects);
  const logging = resolveLogging(checked.logging);
  return {
    project,
    file,
    servers,
    direct,
    alias,
    projects,
    prompts,
    docs,
    security,
    sandbox,
    mcp,
    gateway,
    logging,
    packs,
    workers,
    types,
    effects: forAccounts(declaredEffects(checked), servers),
    snippets: resolveSnippets(checked.snippets),
    output: { ...checked.output, folder: join(project, ".onetool", "tmp") },
    stats: { ...checked.stats, folder: homeFolder("stats", options.context) },
    notify: {
      topics: resolveTopics(checked.notify.topics),
      folders: [project, join(home, ".onetool")],
    },
    cacheDir: homeFolder("cache", options.context),
    closed: closedSources(
      { servers, projects, packs, logging, commands: checked.commands },
      options,
    ),
  };
}

/** A folder for the project below the home folder: what lies in a project may have come with it. */
function homeFolder(name: "cache" | "stats", { home, project }: RuleContext): string {
  const hash = createHash("sha256").update(realPath(project)).digest("hex").slice(0, 32);
  return join(home, ".onetool", name, hash);
}

function realPath(path: string): string {
  // Removed meanwhile: nothing will be kept for it.
  return attempt(() => Deno.realPathSync(path), path);
}

function tlsFiles(servers: readonly ServerConfig[], kinds: readonly ("ca" | "cert" | "key")[]) {
  return servers.flatMap((server) =>
    server.kind === "stdio" ? [] : kinds.flatMap((kind) => server.tls?.[kind] ?? [])
  );
}

type ClosedParts =
  & Pick<Config, "servers" | "projects" | "packs" | "logging">
  & Pick<CheckedConfig, "commands">;

/** Files that are closed by the settings in use, and by those of the home folder, which count in other
 * projects. */
function closedSources(parts: ClosedParts, options: ResolveOptions): ClosedSources {
  const { context: { project, home }, own, homes, untrusted } = options;
  const { allowed, writable } = parts.packs.file;
  const all = [parts, ...(homes ? [partsOf(homes, options)] : [])];
  const servers = distinct(all.flatMap(({ servers }) => servers));
  const others = untrusted
    ? resolveServers(untrusted, { ...options, isHomes: () => false, onProblem() {} })
    : [];
  const urls = all.flatMap(({ packs }) => Object.values(packs.db.connections));
  const databases = urls.map(({ url }) => postgresFiles(url));
  const commands = [...all.map(({ commands }) => commands), untrusted?.commands ?? {}];
  return {
    project,
    home,
    allowed,
    writable,
    configuration: [
      ...own.configuration,
      ...tlsFiles(servers, ["ca", "cert"]),
      ...databases.flatMap(({ certificates }) => certificates),
    ],
    secrets: [
      ...own.secrets,
      ...tlsFiles(servers, ["key"]),
      ...databases.flatMap(({ keys }) => keys),
    ],
    programs: [
      ...[...servers, ...others].filter((server) => server.kind === "stdio"),
      // Those of the home folder start in the home folder.
      ...distinct(commands.flatMap((named) => Object.values(named))).flatMap(
        ([command = "", ...args]) =>
          [project, home].map((cwd) => ({ command, args, env: {}, cwd })),
      ),
    ],
    permissions: distinct(
      [...all.map(({ packs }) => packs), untrusted?.packs].flatMap(permissionsOf),
    ),
    projects: distinct(all.flatMap(({ projects }) => projects.map(({ path }) => path))),
    logs: distinct(all.flatMap(({ logging: { file } }) => file === null ? [] : [file])),
  };
}

function partsOf(homes: CheckedConfig, options: ResolveOptions): ClosedParts {
  return {
    servers: resolveServers(homes, { ...options, isHomes: () => true, onProblem() {} }),
    projects: resolveProjects(homes.projects),
    packs: homes.packs,
    logging: resolveLogging(homes.logging),
    commands: homes.commands,
  };
}

/** Items of plain data without those that are equal. */
function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/** Permissions of the packs in files, by the names of the packs. */
function permissionsOf(packs: CheckedConfig["packs"] | undefined) {
  return Object.entries(packs?.extensions ?? {}).flatMap(([name, { permissions }]) =>
    permissions === undefined ? [] : [[name, permissions] as const]
  );
}

function resolveServers(
  { servers }: CheckedConfig,
  { context, isHomes, onProblem }: ResolveOptions,
): ServerConfig[] {
  return Object.entries(servers).flatMap(([name, server]) => {
    const resolved = resolveServer(name, server, { ...context, isHomes: isHomes(name) });
    if (!("message" in resolved)) {
      const twice = resolved.find((each) =>
        each.name !== name && Object.hasOwn(servers, each.name)
      );
      if (!twice) return resolved;
      const message = `its account has the name of the server "${twice.name}"`;
      onProblem(name, { key: "accounts", message, fix: "Rename one of them" });
      return [];
    }
    onProblem(name, resolved);
    return [];
  });
}

/** Effects by server and pack. A pack of the user reports wrong values. */
function declaredEffects({ servers, packs }: CheckedConfig): DeclaredEffects {
  const { extensions, ...builtin } = packs;
  const sections: [string, { readonly effects?: unknown }][] = [
    ...Object.entries(builtin),
    ...Object.entries(extensions).filter(([, settings]) => isObject(settings)),
    ...Object.entries(servers),
  ];
  return Object.fromEntries(sections.flatMap(([name, { effects }]) => {
    const declared = Object.entries(isObject(effects) ? effects : {})
      .flatMap(([tool, effect]) => {
        const own = readEffect(effect);
        return own ? [[tool, own] as const] : [];
      });
    return declared.length > 0 ? [[name, Object.fromEntries(declared)]] : [];
  }));
}

/** Effects of a server count for all its accounts. */
function forAccounts(effects: DeclaredEffects, servers: readonly ServerConfig[]): DeclaredEffects {
  const accounts = Object.entries(accountServers(servers)).flatMap(([name, server]) => {
    const own = Object.hasOwn(effects, server) ? effects[server] : undefined;
    return own ? [[name, own] as const] : [];
  });
  return { ...effects, ...Object.fromEntries(accounts) };
}

function resolveSnippets(checked: CheckedConfig["snippets"]): Config["snippets"] {
  const snippets = Object.entries(checked).map(([name, { params, ...snippet }]) =>
    [name, { ...snippet, params: resolveParams(params) }] as const
  );
  return Object.fromEntries(snippets);
}

/** A parameter that need not be passed and has no default is `null`. */
function resolveParams(
  checked: CheckedConfig["snippets"][string]["params"],
): SnippetConfig["params"] {
  const params = Object.entries(checked).map(([name, { required, ...param }]) => {
    const isOptional = required === false && param.default === undefined;
    return [name, isOptional ? { ...param, default: null } : param] as const;
  });
  return Object.fromEntries(params);
}

function resolveProjects(checked: CheckedConfig["projects"]): ProjectConfig[] {
  return Object.entries(checked).flatMap(([name, { path, attrs }]) =>
    path === undefined ? [] : [{ name, path, attrs: attrs as JsonObject }]
  );
}

function resolveLogging(checked: CheckedConfig["logging"]): Config["logging"] {
  const { level, file = null } = checked;
  return { ...checked, level: level ?? "info", stderrLevel: level ?? "warning", file };
}

/** A topic without a pattern or a file is left out. */
function resolveTopics(topics: CheckedConfig["notify"]["topics"]): Config["notify"]["topics"] {
  return topics.flatMap(({ pattern, file }) => pattern && file ? [{ pattern, file }] : []);
}
