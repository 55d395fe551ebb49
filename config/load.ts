/** From files and environment to one checked configuration. */

import { join } from "node:path";
import { aliasFindings } from "./aliases.ts";
import { check, type CheckFinding } from "./check.ts";
import { ConfigError } from "./error.ts";
import { expandPath, findFile, searchProject } from "./find.ts";
import type { Scope } from "./interpolate.ts";
import { type MapNode, mergeNodes, type Node, placeOf } from "./node.ts";
import { emptyMap, type Layer, readLayer, readRoot } from "./read.ts";
import { resolveConfig } from "./resolve.ts";
import { CONFIG, type RawConfig } from "./schema.ts";
import { concealed, concealedIn } from "./secrets.ts";
import { isEnabled, type ServerProblem } from "./servers.ts";
import type { Config, ConfigFinding } from "./types.ts";

export interface LoadOptions {
  /** What `--config` says. */
  readonly explicit?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
}

/** Finds, reads, merges and checks the configuration. Throws `ConfigError`.
 *
 * @example
 * ```ts
 * import { loadConfig } from "#config";
 *
 * const config = await loadConfig({ env: {}, home: Deno.makeTempDirSync(), cwd: Deno.makeTempDirSync() });
 * console.assert(config.servers.length === 0);
 * ```
 */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  const { project, findings } = await searchProject(options);
  const found: ConfigFinding[] = [...findings];
  const layers = readLayers(await filesFor(project, options), options);
  const merged = layers.reduce((node: Node, layer) => mergeNodes(node, layer.node), emptyMap(""));
  for (const layer of layers) found.push(...layer.findings);
  const own = layers.at(-1);
  const borrowed = hasServers(merged) ? undefined : await readMcpJson(project, found);
  const root = borrowed ? mergeNodes(merged, borrowed.node) : merged;
  const checked = check<RawConfig>(root, CONFIG, {
    scopeOf: (file) => scopeOf(layers.find((layer) => layer.files.has(file)) ?? own, options.env),
    foreign: (path) => borrowed !== undefined && path[0] === "servers",
  });
  found.push(...withoutDisabled(checked.findings, checked.raw));
  const config = resolveConfig(checked.raw ?? {}, {
    project,
    file: own ? [...own.files][0] ?? null : borrowed?.file ?? null,
    home: options.home,
    own: {
      config: [...layers.flatMap(({ files }) => [...files]), ...borrowed ? [borrowed.file] : []],
      closed: layers.map(({ secretsFile }) => secretsFile),
    },
    cores: navigator.hardwareConcurrency,
    onProblem: (name, problem) => {
      if (!hasErrors(found, name, checked.findings)) found.push(serverFinding(root, name, problem));
    },
  });
  found.push(...aliasFindings(config, { root, home: options.home }));
  if (found.some((finding) => finding.severity === "error")) throw new ConfigError(found);
  const secrets = concealed(
    [...layers.flatMap((layer) => [...layer.secrets.values()]), ...concealedIn(config.packs)],
    config.servers,
  );
  return { ...config, secrets, warnings: found };
}

/** The files that count, the weaker first. One that was named stands alone. */
async function filesFor(project: string, options: LoadOptions): Promise<string[]> {
  const { home, cwd } = options;
  const named = options.explicit ?? (options.env.TOOLSCRIPT_CONFIG || undefined);
  if (named !== undefined) return [expandPath(named, { home, base: cwd })];
  const files = [await findFile(home), await findFile(project)];
  return [...new Set(files.filter((file) => file !== undefined))];
}

function readLayers(files: readonly string[], options: LoadOptions): Layer[] {
  const layers: Layer[] = [];
  for (const file of files) {
    const below = layers.at(-1)?.secrets;
    layers.push(readLayer(file, { home: options.home, env: options.env, below }));
  }
  return layers;
}

function scopeOf(layer: Layer | undefined, env: LoadOptions["env"]): Scope {
  return {
    variable: (name) => env[name],
    secret: (name) => layer?.secrets.get(name),
  };
}

function hasServers(root: Node): boolean {
  const servers = root.kind === "map" ? root.entries.get("servers")?.value : undefined;
  if (!servers) return false;
  return servers.kind === "map" ? servers.entries.size > 0 : servers.kind === "list";
}

/** The servers of `.mcp.json`; what else stands there is for other programs. */
async function readMcpJson(
  project: string,
  found: ConfigFinding[],
): Promise<{ node: MapNode; file: string } | undefined> {
  const file = join(project, ".mcp.json");
  try {
    await Deno.lstat(file);
  } catch {
    // Most projects have none.
    return undefined;
  }
  const root = readRoot(file, found);
  const servers = root?.entries.get("servers");
  if (!root || !servers) return undefined;
  return { node: { ...root, entries: new Map([["servers", servers]]) }, file };
}

/** A server that is switched off may lack the variables that it would need. */
function withoutDisabled(
  findings: readonly CheckFinding[],
  raw: RawConfig | undefined,
): CheckFinding[] {
  return findings.filter(({ path, severity }) => {
    const server = path[0] === "servers" ? raw?.servers?.get(path[1] ?? "") : undefined;
    return severity === "warning" || !server || isEnabled(server);
  });
}

function hasErrors(
  found: readonly ConfigFinding[],
  name: string,
  checked: readonly CheckFinding[],
): boolean {
  return checked.some((finding) =>
    finding.severity === "error" && finding.path[0] === "servers" && finding.path[1] === name &&
    found.includes(finding)
  );
}

function serverFinding(root: Node, name: string, problem: ServerProblem): ConfigFinding {
  const path = ["servers", name, ...(problem.key === undefined ? [] : [problem.key])];
  const what = problem.key === undefined ? `server "${name}"` : `"${path.join(".")}"`;
  const message = `Cannot take ${what}: ${problem.message}`;
  return { severity: "error", message, ...placeOf(root, path), fix: problem.fix };
}
