/** Reads a configuration file with everything that it includes, and the secrets beside it. */

import { basename, dirname, join } from "node:path";
import { attempt, isObject } from "#base";
import { isMissing, type OwnershipOptions, readOwn, trustsAll } from "#files";
import { interpolate, type Scope } from "./interpolate.ts";
import { type MapNode, mergeNodes, type Node, type ScalarNode, toValue } from "./node.ts";
import { expandPath } from "#packs/rules";
import type { ConfigFinding } from "../types.ts";
import { parseYaml, type ReadTotal } from "./yaml.ts";

const MAX_INCLUDE_DEPTH = 32;

/** Most that a layer may be: the parser may take seconds for a million characters, and each file is
 * merged as often as it is included. */
interface Bounds {
  readonly includes: number;
  /** Of all files. */
  readonly characters: number;
}

const HOME_BOUNDS: Bounds = { includes: 200, characters: 2_000_000 };
/** Read before anyone trusts the project, while a gateway serves others. */
export const PROJECT_BOUNDS: Bounds = { includes: 32, characters: 250_000 };

export interface ReadOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True for a file of a project, which no person named: it includes nothing by references, and
   * reads nothing of the home folder. */
  readonly isProject?: boolean;
  /** Real paths of files of the home folder, which may lie elsewhere behind links. */
  readonly homes?: ReadonlySet<string>;
}

/** One layer: a file with everything that it includes, and its secrets. */
export interface Layer {
  readonly node: MapNode;
  readonly secrets: ReadonlyMap<string, string>;
  /** Path of the secrets, also where the file is missing. */
  readonly secretsFile: string;
  /** Every file that was read for it. */
  readonly files: ReadonlySet<string>;
  /** Their texts, with the secrets, at the moment of reading. */
  readonly texts: ReadonlyMap<string, string>;
  readonly findings: readonly ConfigFinding[];
}

/** Reads `file` and merges what it includes below it. */
export function readLayer(file: string, options: ReadOptions): Layer {
  const findings: ConfigFinding[] = [];
  const secretsFile = join(dirname(file), "secrets.yaml");
  const { home, isProject = false, homes = new Set() } = options;
  const texts = new Map<string, string>();
  const place = {
    findings,
    texts,
    roots: new Map<string, MapNode>(),
    home,
    isProject,
    homes,
    bounds: isProject ? PROJECT_BOUNDS : HOME_BOUNDS,
    total: { values: 0, chars: 0 },
    above: !trustsAll(options.env),
  };
  const secrets = readSecrets(secretsFile, place);
  const loss = isProject ? "" : ': nothing in it applies, its "blocked" and "ask" lists included';
  const scope: Scope = {
    variable: (name) => options.env[name],
    secret: (name) => secrets.get(name),
  };
  const state: State = { ...place, loss, scope, files: new Set(), reads: 0 };
  const node = readTree(file, state, []);
  return { node, secrets, secretsFile, files: state.files, texts, findings };
}

/** Servers by name as a file and what it includes have them; none where it cannot be read. */
export function writtenServers(
  file: string,
  options: ReadOptions,
): Readonly<Record<string, unknown>> {
  const servers = readLayer(file, options).node.entries.get("servers")?.value;
  const value = servers ? toValue(servers) : undefined;
  return isObject(value) ? value : {};
}

/** One file's root, `mcpServers` under the name `servers`; undefined with findings when it is bad or
 * not the user's own. */
export function readRoot(file: string, state: ReadState): MapNode | undefined {
  const { findings, texts, roots, bounds, total } = state;
  const earlier = roots?.get(file);
  if (earlier !== undefined) return earlier;
  // Once: the text that was trusted is used, also where the file is included twice.
  const text = texts.get(file) ?? readText(file, state);
  if (text === undefined) return undefined;
  texts.set(file, text);
  if (totalOf(texts) > bounds.characters) {
    const message = `Cannot read it: all files together have over ${bounds.characters} characters`;
    findings.push({ severity: "error", message, file, fix: "Include fewer files" });
    return undefined;
  }
  const parsed = parseYaml(text, file, total);
  findings.push(...parsed.findings);
  const root = parsed.node ?? emptyMap(file);
  if (root.kind === "map") {
    const result = renameServers(root);
    roots?.set(file, result);
    return result;
  }
  if (root.kind === "scalar" && root.value === null) return emptyMap(file);
  const message =
    `Cannot take the file: it must be a map of "key: value" lines, not a ${root.kind}`;
  findings.push({ severity: "error", message, ...root.place });
  return undefined;
}

export function emptyMap(file: string): MapNode {
  return { kind: "map", entries: new Map(), place: { file, line: 1, column: 1 } };
}

function totalOf(texts: ReadonlyMap<string, string>): number {
  return [...texts.values()].reduce((sum, text) => sum + text.length, 0);
}

/** Lists that reading a file adds to. */
export interface ReadState extends OwnershipOptions {
  readonly findings: ConfigFinding[];
  /** By path. */
  readonly texts: Map<string, string>;
  readonly bounds: Bounds;
  /** Values of all files so far; absent where there is one file. */
  readonly total?: ReadTotal;
  /** Their parsed roots, where a file may be read more than once. */
  readonly roots?: Map<string, MapNode>;
  /** Text behind the reason, in the finding about a file that others may have written. */
  readonly loss?: string;
}

interface PlaceState extends ReadState {
  readonly home: string;
  readonly isProject: boolean;
  readonly homes: ReadonlySet<string>;
}

interface State extends PlaceState {
  readonly scope: Scope;
  readonly files: Set<string>;
  /** Files read so far, each as often as it was included. */
  reads: number;
}

function readTree(file: string, state: State, above: readonly string[]): MapNode {
  state.files.add(file);
  const root = readRoot(file, state);
  if (!root) return emptyMap(file);
  let merged: Node = emptyMap(file);
  for (const node of includesOf(root)) {
    const target = includePath(node, file, state);
    if (target === undefined) continue;
    const chain = [...above, file];
    const why = ++state.reads > state.bounds.includes
      ? `more than ${state.bounds.includes} files`
      : refusal(target, chain) ?? refusalInProject(state, node.source, target);
    if (why) {
      const message = `Cannot include ${JSON.stringify(node.source)}: ${why}`;
      state.findings.push({
        severity: "error",
        message,
        ...node.place,
        fix: "Remove or correct it",
      });
      // One finding tells of all that follow.
      if (state.reads > state.bounds.includes) break;
      continue;
    }
    merged = mergeNodes(merged, readTree(target, state, chain));
  }
  const result = mergeNodes(merged, root);
  return result.kind === "map" ? result : root;
}

function includesOf(root: MapNode): ScalarNode[] {
  const value = root.entries.get("include")?.value;
  const items = value?.kind === "list" ? value.items : value ? [value] : [];
  return items.filter((item) =>
    item.kind === "scalar" && typeof item.value === "string"
  ) as ScalarNode[];
}

/** Reason why a file of a project may not include another. */
function refusalInProject(state: State, specifier: string, target: string): string | undefined {
  if (!state.isProject) return undefined;
  if (specifier.includes("${")) return "a project names what it includes without references";
  return isHomes(target, state) ? "it belongs to the home folder" : undefined;
}

/** Tells that a path of a project leads into the configuration of the home folder. */
function isHomes(path: string, { home, isProject, homes }: PlaceState): boolean {
  if (!isProject) return false;
  try {
    const own = Deno.realPathSync(join(home, ".onetool"));
    const real = Deno.realPathSync(path);
    // A file of the home folder may itself be a link.
    const named = join(Deno.realPathSync(dirname(path)), basename(path));
    return homes.has(real) || [real, named].some((each) => `${each}/`.startsWith(`${own}/`));
  } catch (error) {
    // A missing file is not the home folder's; what cannot be told may be.
    return !isMissing(error, path);
  }
}

function includePath(node: ScalarNode, file: string, state: State): string | undefined {
  if (state.isProject) return expandPath(node.source, { home: state.home, base: dirname(file) });
  const path = interpolate(node.source, state.scope);
  // A reference that fails is reported with all the others, when the merged tree is checked.
  if (path.kind === "failed") return undefined;
  return expandPath(path.text, { home: state.home, base: dirname(file) });
}

function refusal(target: string, chain: readonly string[]): string | undefined {
  if (chain.includes(target)) return "it includes itself";
  if (chain.length > MAX_INCLUDE_DEPTH) return `more than ${MAX_INCLUDE_DEPTH} files deep`;
  // The message is the same for every reason.
  const info = attempt(() => Deno.lstatSync(target));
  if (!info) return "no such file";
  // A pipe or a device is refused where it would be read.
  return info.isDirectory ? "not a file" : undefined;
}

function renameServers(root: MapNode): MapNode {
  const other = root.entries.get("mcpServers");
  if (!other) return root;
  const own = root.entries.get("servers");
  const entries = new Map(root.entries);
  entries.delete("mcpServers");
  const value = own ? mergeNodes(other.value, own.value) : other.value;
  entries.set("servers", { place: own?.place ?? other.place, value });
  return { ...root, entries };
}

function readSecrets(file: string, state: PlaceState): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>();
  // Most folders have no secrets.
  if (attempt(() => Deno.lstatSync(file)) === undefined) return secrets;
  if (isHomes(file, state)) {
    const message = "Not read: it belongs to the home folder";
    const fix = "Lend the secrets there: secrets: { lend: { NAME: [folder] } }";
    state.findings.push({ severity: "warning", message, file, fix });
    return secrets;
  }
  const root = readRoot(file, state);
  for (const [name, entry] of root?.entries ?? []) {
    if (entry.value.kind === "scalar") secrets.set(name, entry.value.source);
    else {
      const message = `Cannot take the secret ${JSON.stringify(name)}: it must be text`;
      state.findings.push({ severity: "error", message, ...entry.place });
    }
  }
  return secrets;
}

/** A file that others may have written counts as missing, with a warning. */
function readText(file: string, { findings, loss = "", above }: ReadState): string | undefined {
  try {
    const own = readOwn(file, { above });
    if (own.kind === "text") return own.text;
    if (own.kind === "refused") {
      findings.push({
        severity: "warning",
        message: `Not read: ${own.why}${loss}`,
        file,
        fix: own.fix,
      });
      return undefined;
    }
  } catch {
    // The way out is the same for every reason.
    findings.push({ ...UNREADABLE, message: "Cannot read it: it cannot be opened", file });
    return undefined;
  }
  findings.push({ ...UNREADABLE, message: "Cannot read it: no such file", file });
  return undefined;
}

const UNREADABLE = { severity: "error", fix: "Check the path and its permissions" } as const;
