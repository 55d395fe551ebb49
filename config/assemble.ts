/** Merges the configuration of the home folder, or of a file that a person named, with that of the
 * project. */

import { basename, dirname, join, relative } from "node:path";
import { attempt } from "#base";
import { type BoundedLayer, withinBounds, withoutManyStarts } from "./tree/bounds.ts";
import { check, type Checked } from "./check.ts";
import { expandPath, type RuleContext } from "#packs/rules";
import { isInside, isSameFolder } from "#files";
import { findFile, realProject } from "./find.ts";
import type { Lookup, Scope } from "./tree/interpolate.ts";
import { lentValues } from "./tree/lend.ts";
import { type McpJson, readMcpJson } from "./mcp_json.ts";
import { narrow } from "./trust/narrow.ts";
import { type MapNode, mergeNodes, type Node } from "./tree/node.ts";
import { overlay, packsOfProject, settingsLost } from "./tree/overlay.ts";
import { emptyMap, type Layer, readLayer } from "./tree/read.ts";
import { type CheckedConfig, CONFIG } from "./schema.ts";
import { lookUpReferences, type References } from "./references/references.ts";
import { secretDigests } from "./trust/items.ts";
import { isVouched, judgeTrust, noTrust, type Trust } from "./trust/trust.ts";
import type { ConfigFinding } from "./types.ts";

export interface AssembleOptions {
  readonly explicit?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly context: RuleContext;
  /** Gets the names of the variables that the configuration reads. */
  readonly named: Set<string>;
  /** True to leave the keychain, 1Password and programs alone. */
  readonly isPartial: boolean;
}

export interface Assembled {
  /** Everything that counts, merged. */
  readonly root: MapNode;
  /** Configuration of the project, also where it does not count. */
  readonly projectNode: MapNode;
  /** The file that a person would change. */
  readonly file: string | null;
  readonly files: readonly string[];
  readonly secretsFiles: readonly string[];
  /** Values of all secrets that were read. */
  readonly secrets: readonly string[];
  readonly findings: readonly ConfigFinding[];
  /** Findings about what the project has over the bounds; it is left out. */
  readonly bounds: readonly ConfigFinding[];
  /** The home folder's configuration without the project's; missing where there is no project. */
  readonly ofHome?: Checked<CheckedConfig>;
  readonly trust: Trust;
  /** Scope of the references in a file. */
  readonly scopeOf: (file: string) => Scope;
  /** Tells that the mistakes in a file are reported: it counts. */
  readonly counts: (file: string) => boolean;
  /** Tells that a file is a person's for all projects: of the home folder's configuration, or of a
   * named one that does not lie in this project. */
  readonly isHomes: (file: string) => boolean;
  /** True where the servers are those of `.mcp.json`, where other programs have keys of their own. */
  readonly isBorrowed: boolean;
  /** True where a reference was not looked up. */
  readonly isPartial: boolean;
}

/** Reads all files that count for a project. */
export async function assemble(options: AssembleOptions): Promise<Assembled> {
  const { context: { home, project }, env } = options;
  const real = await realProject(project);
  const isHome = isSameFolder(project, home);
  const { base, own, isNamed } = await readLayers({ ...options, isHome });
  const { node: baseNode, findings: ofBase } = mergeAll([base?.node]);
  const borrowed = [base, own].some(hasServers) ? undefined : await readMcpJson(project, env);
  const layer = mergeAll([own?.node, borrowed?.node]);
  const lent = <T>(values: ReadonlyMap<string, T> | undefined) =>
    lentValues({ root: baseNode, values: values ?? new Map(), home, project: real });
  const secrets = new Map([...lent(base?.secrets), ...own?.secrets ?? []]);
  const texts = new Map([...own?.texts ?? [], ...borrowed?.texts ?? []]);
  const files = scopeOf(base?.secrets, options);
  const ofHome = { ...options, cwd: home, scope: files, ...isHome ? {} : { outside: project } };
  const outside = await lookUpReferences(baseNode, ofHome);
  const baseScope = { ...files, outside: outside.outside };
  const isHomeSecret = (name: string) => base?.secrets.has(name) === true;
  const filesOfProject = { ...scopeOf(secrets, options), isHomeSecret };
  const judged = judge({ baseNode, layer, own, baseScope, texts, real, isHome }, options);
  const { node: projectNode, findings: bounds } = judged.layer;
  const outsideOfProject = await lookUpReferences(
    judged.trust.kind === "untrusted" ? undefined : projectNode,
    { ...options, cwd: project, scope: filesOfProject, lent: lent(commandsOf(outside)) },
  );
  const projectScope = { ...filesOfProject, outside: outsideOfProject.outside };
  const { root, trust } = isHome
    ? judged
    : withSettings(judged, { baseNode, projectScope, context: options.context });
  // While only what narrows counts, a file that both include is the home folder's.
  const isOurs = (file: string) =>
    texts.has(file) && (isVouched(trust) || base?.files.has(file) !== true);
  return {
    root,
    projectNode,
    trust,
    bounds,
    ofHome: judged.ofHome,
    ...filesOf({ base, own, borrowed }, ofBase),
    secrets: secretsOf([base, isVouched(trust) ? own : undefined], [outside, outsideOfProject]),
    // A file that both include counts as the project's: it gets no secret that is not lent.
    scopeOf: (file) => isOurs(file) && !isHome ? projectScope : baseScope,
    counts: (file) => isVouched(trust) || !isOurs(file),
    isHomes: (file) =>
      !isHome && base?.files.has(file) === true && !isOurs(file) &&
      !(isNamed && liesIn(file, real)),
    isBorrowed: borrowed !== undefined,
    isPartial: outside.isPartial || outsideOfProject.isPartial,
  };
}

/** Tells that a file lies in a project, by its name and behind links. */
function liesIn(file: string, project: string): boolean {
  const real = (path: string) => attempt(() => Deno.realPathSync(path), path);
  return [join(real(dirname(file)), basename(file)), real(file)].every((path) =>
    isInside(project, path)
  );
}

type Read = Pick<Layers, "base" | "own"> & { readonly borrowed: McpJson | undefined };

/** Files that were read, with the findings in them and the others; one counts as the configuration: the
 * project's before the home folder's. */
function filesOf({ base, own, borrowed }: Read, others: readonly ConfigFinding[]) {
  const [ofHome, ofProject] = [[...base?.files ?? []], [...own?.files ?? []]];
  const ofMcpJson = borrowed ? [borrowed.file] : [];
  const [file = null] = [...ofProject, ...ofMcpJson, ...ofHome];
  return {
    file,
    files: [...ofHome, ...ofProject, ...ofMcpJson],
    secretsFiles: [base, own].flatMap((layer) => layer ? [layer.secretsFile] : []),
    findings: [...[base, own, borrowed].flatMap((layer) => layer?.findings ?? []), ...others],
  };
}

/** Values to keep out of logs. Those of a stranger would cover words of its choice there. */
function secretsOf(
  layers: readonly (Layer | undefined)[],
  references: readonly References[],
): readonly string[] {
  return [
    ...layers.flatMap((layer) => [...layer?.secrets.values() ?? []]),
    ...references.flatMap(({ values }) => [...values.values()].filter(isText)),
  ];
}

function isText(lookup: Lookup): lookup is string {
  return typeof lookup === "string";
}

/** Values of commands by the names of the commands. */
function commandsOf({ values }: References): ReadonlyMap<string, Lookup> {
  const commands = [...values].filter(([reference]) => reference.startsWith("cmd:"));
  return new Map(commands.map(([reference, value]) => [reference.slice("cmd:".length), value]));
}

interface ToJudge {
  readonly baseNode: MapNode;
  readonly layer: BoundedLayer;
  readonly own: Layer | undefined;
  readonly baseScope: Scope;
  readonly texts: ReadonlyMap<string, string>;
  readonly real: string;
  readonly isHome: boolean;
}

type Judged = Pick<Assembled, "root" | "trust" | "ofHome"> & {
  /** The project as far as it may be trusted. */
  readonly layer: BoundedLayer;
};

function judge(
  { baseNode, layer, own, baseScope, texts, real, isHome }: ToJudge,
  { context, env }: AssembleOptions,
): Judged {
  if (isHome) {
    return {
      layer,
      root: mergeAll([baseNode, layer.node]).node,
      trust: noTrust(real),
    };
  }
  const base = check<CheckedConfig>(baseNode, CONFIG, { context, scopeOf: () => baseScope });
  const narrowed = narrow(layer.node, base.value.sandbox);
  const few = withoutManyStarts(layer.node);
  const findings = [...layer.findings, ...few.findings];
  const trust = judgeTrust({
    project: real,
    home: context.home,
    env,
    texts,
    root: layer.node,
    secrets: own ? secretDigests(relative(context.project, own.secretsFile), own.secrets) : {},
    changes: narrowed.rest,
    lost: settingsLost(baseNode, layer.node),
    narrows: narrowed.narrows,
    isWhole: findings.length === 0,
  });
  if (isVouched(trust)) {
    return { root: overlay(baseNode, layer.node), trust, layer, ofHome: base };
  }
  const servers = few.findings.length === 0 ? trust.servers : [];
  return {
    root: overlay(baseNode, narrowed.node),
    trust: { ...trust, servers },
    layer: { node: few.node, findings },
    ofHome: base,
  };
}

/** Adds the settings that a trusted project writes for its own packs. */
function withSettings(
  { root, trust, layer }: Judged,
  { baseNode, projectScope, context }: Pick<ToJudge, "baseNode"> & {
    readonly projectScope: Scope;
    readonly context: RuleContext;
  },
): Pick<Judged, "root" | "trust"> {
  if (trust.kind === "untrusted") return { root, trust };
  const packs = packsOfProject(baseNode, layer.node);
  const own = check<CheckedConfig>(packs, CONFIG, { context, scopeOf: () => projectScope });
  return { root, trust: { ...trust, settings: own.value.packs.extensions } };
}

interface Layers {
  /** The home folder's, or the one that was named. */
  readonly base: Layer | undefined;
  readonly own: Layer | undefined;
  /** True where a person named the file. */
  readonly isNamed: boolean;
}

/** A file that was named counts alone. */
async function readLayers(
  { explicit, env, context: { home, project }, cwd, isHome }: AssembleOptions & {
    readonly isHome: boolean;
  },
): Promise<Layers> {
  const path = explicit ?? (env.TOOLSCRIPT_CONFIG || undefined);
  const file = path === undefined ? await findFile(home) : expandPath(path, { home, base: cwd });
  const own = path === undefined && !isHome ? await findFile(project) : undefined;
  const base = file === undefined ? undefined : readLayer(file, { home, env });
  // Their real paths too: a link among them may lead elsewhere.
  const ofHome = [...base?.files ?? []].filter((path) => isInside(join(home, ".onetool"), path));
  const homes = new Set(
    await Promise.all([file, base?.secretsFile, ...ofHome].flatMap((path) => {
      // A file without a real path cannot be read either.
      return path === undefined ? [] : [Deno.realPath(path).catch(() => path)];
    })),
  );
  return {
    base,
    own: own === undefined ? undefined : readLayer(own, { home, env, isProject: true, homes }),
    isNamed: path !== undefined,
  };
}

/** Scope that notes the variables it is asked for. */
function scopeOf(
  secrets: ReadonlyMap<string, string> | undefined,
  { env, named }: Pick<AssembleOptions, "env" | "named">,
) {
  return {
    variable(name: string) {
      named.add(name);
      return env[name];
    },
    secret: (name: string) => secrets?.get(name),
  };
}

function mergeAll(nodes: readonly (MapNode | undefined)[]): BoundedLayer {
  const merged = nodes.reduce(
    (base: Node, node) => node ? mergeNodes(base, node) : base,
    emptyMap(""),
  );
  return withinBounds(merged.kind === "map" ? merged : emptyMap(""), CONFIG);
}

function hasServers(layer: Layer | undefined): boolean {
  const servers = layer?.node.entries.get("servers")?.value;
  if (!servers) return false;
  return servers.kind === "map" ? servers.entries.size > 0 : servers.kind === "list";
}
