/** Manifests of runners: the files in which they look up what they run. */

import { basename, dirname, isAbsolute, join } from "node:path";
import { languageOfInterpreter, unversioned } from "../../interpreters.ts";
import { pathIn } from "../link_names.ts";
import { languageOfName } from "../languages.ts";
import { isBelow } from "../names.ts";
import { linesIn } from "../words.ts";

type Manifests = readonly [
  program: RegExp,
  /** Files whose texts name further files. */
  read: readonly string[],
  /** Files that decide what the program runs, also missing ones; `read` where they are left out. */
  decisive?: readonly string[],
  /** Word that must be there too. */
  command?: RegExp,
];

const COMPOSE = named(
  "compose docker-compose compose.override docker-compose.override",
  "yaml yml",
);
const PROJECT = "pyproject.toml";
/** Files by which a package runner takes another program than the package that it would fetch. */
const LOCAL_PACKAGES = ["package.json", "node_modules"];
const BUILDS = [PROJECT, "setup.py", "setup.cfg"];

const MANIFESTS: readonly Manifests[] = [
  [/^(?:npm|pnpm|yarn|bun|nx|turbo|node(?:js)?)$/, ["package.json", "nx.json", "turbo.json"], []],
  [
    /^(?:npm|pnpm|yarn|bun|nx|turbo|lerna|rushx|run-[ps]|npm-run-all2?|lint-staged|gulp|grunt)$/,
    [],
    ["package.json"],
  ],
  [/^node(?:js)?$/, [], ["package.json"], /^--run$/],
  [/^(?:npx|pnpx|bunx)$/, [], LOCAL_PACKAGES],
  [/^(?:npm|pnpm|yarn|bun)$/, [], LOCAL_PACKAGES, /^(?:exec|x|dlx)$/],
  [/^pnp[mx]$/, [], ["package.json5", "package.yaml", "pnpm-workspace.yaml"]],
  [/^bunx?$/, [], ["bunfig.toml"]],
  [/^nx$/, [], ["nx.json", "project.json", "workspace.json"]],
  [/^turbo$/, [], ["turbo.json", "turbo.jsonc"]],
  [/^lerna$/, [], ["lerna.json"]],
  [/^lint-staged$/, [], named("lint-staged.config", "js mjs cjs ts mts cts")],
  [/^jake$/, [], ["package.json", ...named("Jakefile", "js cjs coffee"), "Jakefile", "jakelib"]],
  [/^gulp$/, [], named("gulpfile", "js mjs cjs ts mts cts babel.js")],
  [/^grunt$/, [], named("Gruntfile", "js cjs ts coffee")],
  [/^composer$/, ["composer.json"]],
  // `deno task` runs the tasks of these settings.
  [/^task$/, ["deno.json", "deno.jsonc"], []],
  [/^deno$/, [], ["deno.json", "deno.jsonc", "package.json"], /^task$/],
  [/^g?make$/, ["Makefile", "GNUmakefile"]],
  [/^(?:b|p)?make$/, [], ["BSDmakefile", "Makefile"]],
  [/^cmake$/, [], ["CMakeLists.txt", "CMakePresets.json", "CMakeUserPresets.json"]],
  [/^ninja$/, [], ["build.ninja"]],
  [/^scons$/, [], ["SConstruct", "SConstruct.py"]],
  [/^just$/, ["justfile", ".justfile"]],
  [
    /^(?:go-)?task$/,
    ["Taskfile.yml", "Taskfile.yaml"],
    named("Taskfile Taskfile.dist", "yml yaml"),
  ],
  [/^mise$/, ["mise.toml"], [
    ...named("mise mise.local .mise .mise.local mise/config", "toml"),
    "mise-tasks",
    "mise/tasks",
  ]],
  [/^rake$/, ["Rakefile"], ["Rakefile", "Rakefile.rb", "rakelib"]],
  [/^thor$/, [], ["Thorfile"]],
  [/^bundler?$/, [], ["Gemfile", "Gemfile.lock", "gems.rb", "gems.locked"]],
  [/^fastmcp$/, ["fastmcp.json"]],
  [/^cargo$/, ["Cargo.lock", "rust-toolchain"], ["rust-toolchain", "rust-toolchain.toml"]],
  [
    /^cargo$/,
    [],
    ["Cargo.toml", "Cargo.lock", "build.rs"],
    /^(?:run|r|build|b|check|c|test|t|bench|clippy|doc|install|xtask|nextest|make)$/,
  ],
  [/^(?:dotnet|dnx)$/, ["global.json", "nuget.config", "appsettings.json"], [
    "global.json",
    "nuget.config",
    ...named("Directory.Build", "props targets rsp"),
    ...named("Directory.Packages", "props"),
  ]],
  [/^gradlew?$/, ["gradlew", "gradle.lockfile"], [
    ...named("build settings", "gradle gradle.kts"),
    "gradlew",
    "gradle.properties",
    "gradle/wrapper",
    "buildSrc",
  ]],
  [/^mvnw?$/, ["mvnw"], ["mvnw", "pom.xml", ".mvn"]],
  [/^ant$/, [], ["build.xml"]],
  [/^sbt$/, [], ["build.sbt", "project/build.properties", "project/plugins.sbt"]],
  [/^mill$/, [], ["build.mill", "build.sc"]],
  [/^mix$/, [], ["mix.exs", "config/config.exs"]],
  [/^lein$/, [], ["project.clj", "profiles.clj"]],
  [/^cl(?:j|ojure)$/, [], ["deps.edn"]],
  [/^bb$/, [], ["bb.edn"]],
  [/^mage$/, [], ["magefile.go", "magefiles"]],
  [/^go$/, [], ["go.mod", "go.work"], /^(?:run|generate|test|build|install|tool)$/],
  [/^swift$/, [], ["Package.swift"], /^(?:run|build|test|package)$/],
  [/^zig$/, [], ["build.zig", "build.zig.zon"], /^build$/],
  [/^(?:dart|flutter)$/, [], ["pubspec.yaml"], /^(?:run|pub|test|build)$/],
  [/^uv$/, [], [...BUILDS, "uv.toml", "uv.lock"], /^(?:run|sync|build)$/],
  [/^pip$/, [], BUILDS, /^\.$/],
  [/^(?:poetry|pdm|rye|taskipy)$/, [], [PROJECT, "poetry.toml", "pdm.toml"]],
  [/^hatch$/, [], [PROJECT, "hatch.toml", "hatch_build.py"]],
  [/^pixi$/, [], [PROJECT, "pixi.toml"]],
  [/^pipenv$/, [], ["Pipfile", "Pipfile.lock"]],
  [/^poe$/, [], [PROJECT, ...named("poe_tasks", "toml yaml json")]],
  [/^(?:inv|invoke|fab)$/, [], [
    ...named("tasks tasks/__init__ fabfile fabfile/__init__", "py"),
    ...named("invoke fabric", "yaml yml json py"),
  ]],
  [/^nox$/, [], ["noxfile.py"]],
  [/^tox$/, [], [...BUILDS, "tox.ini", "tox.toml"]],
  [/^doit$/, [], [PROJECT, "dodo.py", "doit.cfg"]],
  [/^(?:nix|nix-shell|nix-build)$/, [], ["flake.nix", "flake.lock", "shell.nix", "default.nix"]],
  [/^devbox$/, [], ["devbox.json"]],
  [/^(?:foreman|honcho|overmind|hivemind)$/, [], ["Procfile"]],
  [/^earthly$/, [], ["Earthfile"]],
  [
    /^(?:docker|podman|docker-compose)$/,
    ["Dockerfile", "Containerfile", "docker-bake.hcl", ...COMPOSE],
    [],
  ],
  [
    /^(?:docker|podman|(?:docker|podman)-compose)$/,
    [],
    COMPOSE,
    /^(?:(?:docker-|podman-)?compose|bake)$/,
  ],
  [/^(?:docker|podman|buildah)$/, [], ["Dockerfile", "Containerfile"], /^(?:build|bake)$/],
  [/^docker$/, [], named("docker-bake docker-bake.override", "hcl json"), /^bake$/],
];

/** Names with each of the endings; both are divided by blanks. */
function named(names: string, endings: string): readonly string[] {
  return names.split(" ").flatMap((name) =>
    endings.split(" ").map((ending) => `${name}.${ending}`)
  );
}

function manifestsFor(words: readonly string[]): readonly Manifests[] {
  const names = words.map(unversioned);
  const isAmong = (pattern: RegExp) => names.some((name) => pattern.test(name));
  return MANIFESTS.filter(([program, , , command = program]) =>
    isAmong(program) && isAmong(command)
  );
}

/** Pattern of the names by which a package runner among the words takes another program than the package
 * that it would fetch; undefined for other words. */
export function packageNames(words: readonly string[]): RegExp | undefined {
  const manifests = manifestsFor(words);
  if (!manifests.some(([, , decisive]) => decisive === LOCAL_PACKAGES)) return undefined;
  const names = manifests.flatMap(([, read, decisive = read]) => decisive);
  return new RegExp(`^(?:${names.map((name) => RegExp.escape(name)).join("|")})$`, "is");
}

/** Files in which the programs among the words look up their commands. */
export function manifestsOf(words: readonly string[]): string[] {
  return manifestsFor(words).flatMap(([, read]) => read);
}

/** Runners that look for their manifest in the folders above, too. */
const LOOKS_UP =
  /^(?:npm|npx|pnp[mx]|yarn|bunx?|node|run-[ps]|npm-run-all2?|just|(?:go-)?task|deno|cargo|mise|rake|thor|bundler?|uv|poetry|pdm|rye|hatch|pixi|pipenv|poe|inv|invoke|mvnw?|go|swift|composer)$/;

interface ManifestFolders {
  /** Folders that the words lead to; the first is the one where the program starts. */
  readonly folders: readonly string[];
  /** Folders that programs may use. */
  readonly allowed: readonly string[];
}

/** Paths of the files that decide what the programs among the words run in the folders, and in those
 * between them and the first, or of some runners and an allowed one: these look there too. */
export function decisiveManifests(
  words: readonly string[],
  { folders, allowed }: ManifestFolders,
): string[] {
  const names = manifestsFor(words).flatMap(([, read, decisive = read]) => decisive);
  const looksUp = words.some((word) => LOOKS_UP.test(unversioned(word)));
  const tops = [...folders.slice(0, 1), ...(looksUp ? allowed : [])];
  const all = new Set(names.length === 0 ? [] : folders);
  for (const folder of all) {
    if (tops.some((top) => folder !== top && isBelow(folder, top))) all.add(dirname(folder));
  }
  return [...all].flatMap((folder) => names.map((name) => join(folder, name)));
}

/** Paths that words lead to by a name: modules that Python runs (`python -m a.b`), the file with which a
 * folder starts (`node ./tool`), and folders of `run-parts` and `go run`. */
export function pathsRun(words: readonly string[], folders: readonly string[]): string[] {
  const lines = [words, ...words.filter((word) => /\s/.test(word)).flatMap(linesIn)];
  return lines.flatMap((line) => {
    const inner = line.flatMap((word) => /^PYTHONPATH=(.+)$/s.exec(word)?.[1]?.split(":") ?? []);
    const bases = [...folders, ...inner.map((path) => pathIn(folders[0] ?? "/", path))];
    const files = modulesIn(line).flatMap((one) => bases.map((base) => join(base, one)));
    return [...files, ...entriesIn(line, folders), ...partsIn(line, folders)];
  });
}

/** Files of the modules that a line runs, and of the packages on the way. */
function modulesIn(line: readonly string[]): string[] {
  const first = line.findIndex((word) =>
    languageOfInterpreter(word) === "python" || /^coverage/.test(unversioned(word))
  );
  if (first < 0) return [];
  return line.flatMap((word, at) => {
    const [, joined] = at > first ? /^-[A-Za-z]*?m(.*)$/s.exec(word) ?? [] : [];
    const module = joined === "" ? line[at + 1] ?? "" : joined ?? "";
    if (!/^[a-z_]\w*(?:\.\w+)*$/i.test(module)) return [];
    const parts = module.split(".");
    const packages = parts.map((_, index) => join(...parts.slice(0, index + 1), "__init__.py"));
    return [...packages, `${join(...parts)}.py`, join(...parts, "__main__.py")];
  });
}

/** Files with which an interpreter starts a folder. */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  javascript: ["package.json", ...named("index", "js mjs cjs ts")],
  python: ["__main__.py"],
};

function entriesIn(line: readonly string[], folders: readonly string[]): string[] {
  const first = line.findIndex((word) => Object.hasOwn(ENTRIES, languageOfInterpreter(word) ?? ""));
  const names = ENTRIES[languageOfInterpreter(line[first] ?? "") ?? ""] ?? [];
  const word = line.slice(first + 1).find((one) => !one.startsWith("-")) ?? "";
  if (!/^[\w./-]*[\w-]\/?$/.test(word) || languageOfName(word)) return [];
  const paths = folders.map((base) => pathIn(base, word)).filter((path) => path !== folders[0]);
  return paths.flatMap((path) => names.map((name) => join(path, name)));
}

/** Folders of which all is run, but for those that hold the one where this starts. */
function partsIn(line: readonly string[], folders: readonly string[]): string[] {
  const at = line.findIndex((word, index) =>
    unversioned(word) === "run-parts" || (word === "run" && line[index - 1] === "go")
  );
  const words = (at < 0 ? [] : line.slice(at + 1)).filter((word) => !word.startsWith("-"));
  const folder = line[at] === "run" ? words.find((word) => /^\.?\.?\//.test(word)) : words.at(-1);
  return (folder === undefined ? [] : folders)
    .map((base) => pathIn(base, folder ?? "."))
    .filter((path) => !isBelow(folders[0] ?? "/", path));
}

/** Words before the folder in which a program looks for what it runs. */
export const NAMES_FOLDER =
  /^(?:--(?:directory|prefix|project|cwd|dir|app-dir|chdir)|-C|cd|pushd)$/;

/** True for words that lead to a folder by its whole path. */
function isElsewhere(words: readonly string[]): boolean {
  return words.some((word, at) => {
    const [option = "", path = words[at + 1] ?? ""] = word.split("=");
    return NAMES_FOLDER.test(option) && isAbsolute(path);
  });
}

/** True for programs that look for a script, a module or a task in the folder where they start. */
export function looksAround(words: readonly string[]): boolean {
  if (isElsewhere(words)) return false;
  const module = words.findIndex((word) => /^-\w*m$/.test(word));
  const isModule = words.slice(0, Math.max(module, 0))
    .some((word) => languageOfInterpreter(basename(word)) === "python");
  const isRelative = words.some((word) => languageOfName(word) && !/^[-/~@\\]|:/.test(word));
  return isModule || isRelative ||
    decisiveManifests(words, { folders: ["/"], allowed: [] }).length > 0;
}
