/** Reads the dependencies of a manifest. */

import { JobRefused } from "../../../jobs/protocol.ts";
import type { FileInput } from "../../kit/files.ts";
import { readPieces } from "../../kit/read_pieces.ts";
import { readPyproject, readRequirements } from "./manifest_python.ts";
import type { Dependency, Skipped } from "./dependency.ts";
import { isPackageName } from "../package_name.ts";
import { asRecord } from "../../kit/values.ts";

export const MANIFESTS = [
  "package.json",
  "deno.json",
  "pyproject.toml",
  "requirements.txt",
] as const;
export type ManifestKind = typeof MANIFESTS[number];

export interface Manifest {
  readonly kind: ManifestKind;
  readonly dependencies: readonly Dependency[];
  /** Dependencies that come from no registry. */
  readonly skipped: readonly Skipped[];
}

export interface ManifestInput {
  readonly source: string | FileInput;
  readonly kind: ManifestKind | undefined;
}

/** Loads the parsers, and returns a function that reads a manifest; without a kind it is detected.
 * That function throws `JobRefused`. */
export async function readManifest({ source, kind }: ManifestInput): Promise<() => Manifest> {
  const [{ default: json5 }, toml] = await Promise.all([import("json5"), import("smol-toml")]);
  return () => {
    const name = typeof source === "string" ? "" : source.label;
    const text = typeof source === "string" ? source : read(source);
    const own = kind ?? kindOfName(name) ?? kindOfText(text);
    const { dependencies, skipped } = parse(text, own, { json: json5.parse, toml: toml.parse });
    const unique = new Map(dependencies.map((one) => [JSON.stringify(one), one]));
    return { kind: own, dependencies: [...unique.values()], skipped };
  };
}

function read(file: FileInput): string {
  const decoder = new TextDecoder();
  let text = "";
  for (const piece of readPieces(file)) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

function kindOfName(path: string): ManifestKind | undefined {
  const name = path.split(/[\\/]/).at(-1)?.toLowerCase() ?? "";
  if (name === "package.json") return "package.json";
  if (/^(?:deno|jsr|import_?map)\.jsonc?$/.test(name)) return "deno.json";
  if (name === "pyproject.toml") return "pyproject.toml";
  return /requirements.*\.(?:txt|in)$|^constraints.*\.txt$/.test(name)
    ? "requirements.txt"
    : undefined;
}

function kindOfText(text: string): ManifestKind {
  if (/^\s*(?:\{|\/\/|\/\*)/.test(text)) {
    return /"(?:imports|scopes)"\s*:/.test(text) ? "deno.json" : "package.json";
  }
  return /^[ \t]*\[[\w."-]+\]/m.test(text) ? "pyproject.toml" : "requirements.txt";
}

interface Parsers {
  /** Parses JSON with comments. */
  readonly json: (text: string) => unknown;
  readonly toml: (text: string) => unknown;
}

function parse(text: string, kind: ManifestKind, { json, toml }: Parsers): Dependencies {
  switch (kind) {
    case "package.json":
      return readNpmManifest(parsed(text, "JSON", json));
    case "deno.json":
      return readDenoManifest(parsed(text, "JSON", json));
    case "pyproject.toml":
      return readPyproject(parsed(text, "TOML", toml));
    case "requirements.txt":
      return readRequirements(text);
    default:
      return kind satisfies never;
  }
}

function parsed(text: string, format: string, parser: (text: string) => unknown): unknown {
  try {
    return parser(text);
  } catch (error) {
    const message = error instanceof Error ? error.message.split("\n", 1)[0] : error;
    throw new JobRefused(`it is not ${format}: ${message}`);
  }
}

interface Dependencies {
  readonly dependencies: Dependency[];
  readonly skipped: Skipped[];
}

type Groups = readonly (readonly [name: string, entries: unknown])[];
type Read = (key: string, spec: string) => Omit<Dependency, "group"> | undefined;

/** Reads the entries of some groups; those that `read` does not know come from no registry. */
function readGroups(groups: Groups, read: Read): Dependencies {
  const result: Dependencies = { dependencies: [], skipped: [] };
  for (const [group, entries] of groups) {
    for (const [key, value] of Object.entries(asRecord(entries))) {
      const spec = String(value).trim();
      const dependency = read(key, spec);
      if (dependency) result.dependencies.push({ ...dependency, group });
      else result.skipped.push({ name: key, spec, reason: "it comes from no registry" });
    }
  }
  return result;
}

/** Reads the packages of npm and JSR in `imports` and `scopes`, without its paths. */
function readDenoManifest(value: unknown): Dependencies {
  const { imports, scopes } = asRecord(value);
  const groups = [["imports", imports], ...Object.entries(asRecord(scopes))] as const;
  const { dependencies, skipped } = readGroups(groups, (_, spec) => readSpecifier(spec));
  return { dependencies, skipped: skipped.filter(({ spec }) => /^[a-z]+:/.test(spec)) };
}

/** Reads a specifier: `npm:@scope/name@^1/sub/path`. */
function readSpecifier(spec: string): Omit<Dependency, "group"> | undefined {
  const { registry, name = "", range = "" } =
    /^(?<registry>npm|jsr):\/?(?<name>(?:@[^@/]+\/)?[^@/]+)(?:@(?<range>[^/]*))?(?:\/.*)?$/.exec(
      spec,
    )
      ?.groups ?? {};
  if (registry !== "npm" && registry !== "jsr") return undefined;
  return isPackageName(registry, name) ? { name, registry, range } : undefined;
}

const GROUPS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** Reads the dependencies of all groups. */
function readNpmManifest(value: unknown): Dependencies {
  const manifest = asRecord(value);
  return readGroups(GROUPS.map((group) => [group, manifest[group]]), readNpmSpec);
}

/** Reads `^1.2.0`, `latest`, `npm:other@1` or `jsr:@std/path@1`; undefined for paths, URLs and the
 * like. */
function readNpmSpec(key: string, spec: string): Omit<Dependency, "group"> | undefined {
  const alias = /^(?<registry>npm|jsr):\/?(?<name>@?[^@/]+(?:\/[^@/]+)?)(?:@(?<range>[^/]*))?/.exec(
    spec,
  )?.groups;
  const { registry = "npm", name = key, range = alias ? "" : spec } = alias ?? {};
  if (registry !== "npm" && registry !== "jsr") return undefined;
  if (!isPackageName(registry, name) || /[:/]/.test(range)) return undefined;
  return { name, registry, range };
}
