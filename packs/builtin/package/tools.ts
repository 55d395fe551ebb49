/** `package.latest`, `package.versions` and `package.audit`. */

import type { JsonObject, NameAsker } from "#base";
import { fileInput, type Files } from "../kit/files.ts";
import { mapEach } from "../kit/map_bounded.ts";
import { FLAG, list, object, TEXT, TEXT_OR_NULL, WHOLE } from "../kit/schemas.ts";
import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { PackError } from "../../errors.ts";
import { type PackageName, readPackageName, REGISTRIES } from "./package_name.ts";
import type { ReleaseSource } from "./releases.ts";
import type { PackageSettings } from "./settings.ts";
import type { Manifest, ManifestKind } from "./work/manifest.ts";
import type { Dependency } from "./work/dependency.ts";
import type { Picked } from "./work/pick.ts";
import type { Rating } from "./work/rate.ts";

export interface PackageParts {
  readonly settings: PackageSettings;
  readonly source: ReleaseSource;
  readonly files: Files;
}

const REGISTRY = p.choice("Where names without a prefix are looked up", REGISTRIES);
const PRERELEASE = p.flag("Also alphas, betas and release candidates");
const RELEASE = {
  version: TEXT_OR_NULL,
  published: { ...TEXT_OR_NULL, description: "When, where the registry says so" },
  prerelease: FLAG,
  yanked: FLAG,
  deprecated: { ...TEXT_OR_NULL, description: "Reason for the deprecation" },
  requires: { ...TEXT_OR_NULL, description: "node >=18, python >=3.9" },
};
const MANIFEST_BYTES = 8 * 2 ** 20;

/** Makes the tools. */
export function packageTools(parts: PackageParts): BuiltinTool[] {
  return [latestTool(parts), versionsTool(parts), auditTool(parts)];
}

function releaseOf({ version, published, prerelease, yanked, deprecated, requires }: Picked) {
  return {
    version,
    published: published ?? null,
    prerelease,
    yanked: yanked === true,
    deprecated: deprecated ?? null,
    requires: requires ?? null,
  };
}

async function pickOf(
  { source }: PackageParts,
  target: PackageName,
  { prerelease, limit, ...asker }: NameAsker & {
    readonly prerelease: boolean;
    readonly limit: number;
  },
): Promise<Picked[]> {
  const releases = await source.of(target, asker);
  const { registry, range, name } = target;
  const job = { kind: "pick", input: { registry, releases, range, prerelease, limit } };
  const what = `look up "${name}" in ${registry}`;
  const picked = await source.workers.run<Picked[]>(job, { what, ...asker });
  if (picked.length > 0) return picked;
  const why = range === "" ? "it has no versions" : `no version is within "${range}"`;
  throw new PackError("tool_error", `Cannot look up "${name}" in ${registry}: ${why}`);
}

function latestTool(parts: PackageParts): BuiltinTool {
  return defineTool({
    name: "latest",
    description: "The newest version of packages of npm, PyPI and JSR, several at once, with " +
      "deprecation. A range gives the newest within it. One that cannot be found leaves the " +
      "others alone: it has an error.",
    params: {
      packages: {
        ...p.texts("As react, npm:react@^18, pypi:requests, jsr:@std/path", {
          minItems: 1,
          maxItems: 200,
        }),
        required: true,
      },
      registry: REGISTRY,
      prerelease: PRERELEASE,
    },
    returns: list(object(
      { name: TEXT, registry: { ...TEXT, enum: [...REGISTRIES] }, ...RELEASE, error: TEXT_OR_NULL },
      ["published", "prerelease", "yanked", "requires"],
    )),
    examples: ['package.latest(packages=["react", "npm:typescript@^5", "pypi:requests"])'],
    effect: "read",
    openWorld: true,
    run: ({ packages, registry, prerelease }, { signal, run, onProgress }) => {
      const { concurrent } = parts.settings;
      const names = packages.map((name) => readPackageName(name, registry));
      const failed = ({ name, registry }: PackageName, { message }: PackError): JsonObject => {
        return { name, registry, version: null, deprecated: null, error: message };
      };
      return mapEach(names, { concurrent, signal, onProgress, failed }, async (one) => {
        const [newest] = await pickOf(parts, one, { prerelease, limit: 1, signal, run });
        const about = { name: one.name, registry: one.registry };
        return { ...about, ...newest && releaseOf(newest), error: null };
      });
    },
  });
}

function versionsTool(parts: PackageParts): BuiltinTool {
  return defineTool({
    name: "versions",
    description: "The versions of one package, the newest first; deprecated and yanked ones last",
    params: {
      name: p.text("As react, npm:react@^18, pypi:requests, jsr:@std/path"),
      registry: REGISTRY,
      prerelease: PRERELEASE,
      limit: p.byDefault(p.whole("Versions to give", { minimum: 1, maximum: 10_000 }), 20),
    },
    returns: list(object(RELEASE)),
    examples: ['package.versions(name="pypi:requests", limit=3)'],
    effect: "read",
    openWorld: true,
    run: async ({ name, registry, prerelease, limit }, { signal, run }) => {
      const target = readPackageName(name, registry);
      return (await pickOf(parts, target, { prerelease, limit, signal, run })).map(releaseOf);
    },
  });
}

function auditTool(parts: PackageParts): BuiltinTool {
  return defineTool({
    name: "audit",
    description: "How far the dependencies of a manifest are behind: package.json, deno.json or " +
      "an import map, pyproject.toml, requirements.txt. wanted is the newest version that the " +
      "manifest allows, behind the step from what it names to the latest.",
    params: {
      path: p.optional(p.path("The manifest, within the folders of the pack file")),
      text: p.optional(p.text("The manifest itself; this or path")),
      kind: p.choice("What it is; auto finds out", [
        "auto",
        "package.json",
        "deno.json",
        "pyproject.toml",
        "requirements.txt",
      ]),
      outdated_only: p.flag("Leave out what is up to date"),
    },
    returns: object({
      manifest: TEXT,
      dependencies: list(DEPENDENCY),
      outdated: WHOLE,
      skipped: list(object({ name: TEXT, spec: TEXT, reason: TEXT })),
    }),
    examples: ['package.audit(path="package.json", outdated_only=True).dependencies'],
    effect: "read",
    openWorld: true,
    run: async ({ path, text, kind, outdated_only }, { signal, run, onProgress }) => {
      const explicitKind = kind === "auto" ? undefined : kind;
      const manifest = await manifestOf(parts, { path, text, kind: explicitKind, signal, run });
      const { concurrent } = parts.settings;
      const rated = await mapEach(
        manifest.dependencies,
        { concurrent, signal, onProgress, failed: unrated },
        (one) => rateOne(parts, one, { signal, run }),
      );
      const isOutdated = ({ behind }: JsonObject) => behind !== null && behind !== "unknown";
      return {
        manifest: manifest.kind,
        dependencies: outdated_only ? rated.filter(isOutdated) : rated,
        outdated: rated.filter(isOutdated).length,
        skipped: manifest.skipped,
      };
    },
  });
}

const DEPENDENCY = object({
  name: TEXT,
  registry: { ...TEXT, enum: [...REGISTRIES] },
  group: TEXT,
  range: TEXT,
  declared: TEXT_OR_NULL,
  wanted: TEXT_OR_NULL,
  latest: TEXT_OR_NULL,
  behind: { ...TEXT_OR_NULL, enum: ["major", "minor", "patch", "unknown", null] },
  in_range: FLAG,
  deprecated: TEXT_OR_NULL,
  error: TEXT_OR_NULL,
}, ["declared", "deprecated", "error"]);

async function manifestOf(
  { source, files }: PackageParts,
  { path, text, kind, ...asker }: NameAsker & {
    readonly path: string | undefined;
    readonly text: string | undefined;
    readonly kind: ManifestKind | undefined;
  },
): Promise<Manifest> {
  if ((path === undefined) === (text === undefined)) {
    const words = 'pass either "path" or "text"';
    throw new PackError("invalid_arguments", `Cannot tell which manifest is meant: ${words}`);
  }
  const input = text ?? await fileInput(path ?? "", { files, maxBytes: MANIFEST_BYTES });
  const job = { kind: "manifest", input: { source: input, kind } };
  return await source.workers.run<Manifest>(job, { what: "read the manifest", ...asker });
}

async function rateOne(
  { source }: PackageParts,
  { name, registry, group, range }: Dependency,
  asker: NameAsker,
): Promise<JsonObject> {
  const releases = await source.of({ name, registry, range }, asker);
  const job = { kind: "rate", input: { registry, releases, range } };
  const rating = await source.workers.run<Rating>(job, { what: `compare "${name}"`, ...asker });
  return { name, registry, group, range, ...rating, error: null };
}

function unrated({ name, registry, group, range }: Dependency, { message }: PackError): JsonObject {
  const nothing = { declared: null, wanted: null, latest: null, deprecated: null };
  const about = { name, registry, group, range };
  return { ...about, ...nothing, behind: "unknown", in_range: false, error: message };
}
