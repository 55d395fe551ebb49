/** Packages of a TypeScript pack: import map from its header, and installation. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { endWith } from "#base";
import { openStateFolder } from "#files";

export interface ImportMap {
  readonly imports: Readonly<Record<string, string>>;
}

export interface InstallDeps {
  /** Path of the Deno executable. */
  readonly deno: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly cacheDir: string;
}

export interface InstallOptions {
  readonly deps: InstallDeps;
  readonly signal: AbortSignal;
}

const PRIVATE = { mode: 0o600 } as const;
const SPECIFIER = /^(?:(npm|jsr):\/?)?((?:@[\w.-]+\/)?[\w.-]+)(?:@([^/\s]+))?$/;

interface Dependency {
  readonly name: string;
  readonly scheme: string;
  readonly range: string | undefined;
}

/** Maps `["dayjs@^1.11", "jsr:@std/csv@1"]` to imports by bare name. Throws for an invalid name. */
export function toImportMap(dependencies: readonly string[], sdk: string): ImportMap {
  const imports: Record<string, string> = { toolscript: sdk };
  for (const { name, scheme, range } of dependencies.map(readDependency)) {
    const target = range === undefined ? name : `${name}@${range}`;
    imports[name] = `${scheme}:${target}`;
    imports[`${name}/`] = `${scheme}:/${target}/`;
  }
  return { imports };
}

/** Fetches the packages and their dependencies into Deno's cache. Throws with Deno's message. */
export async function fetchPackages(
  dependencies: readonly string[],
  { deps, signal }: InstallOptions,
): Promise<void> {
  if (dependencies.length === 0) return;
  const { imports } = toImportMap(dependencies, "");
  const specifiers = Object.entries(imports)
    .filter(([name]) => name !== "toolscript" && !name.endsWith("/")).map(([, target]) => target);
  const args = ["cache", "--quiet", "--no-config", "--no-lock", "--node-modules-dir=none"];
  openStateFolder(deps.cacheDir, { root: deps.cacheDir });
  await runDeno([...args, ...specifiers], { ...deps, cwd: deps.cacheDir, signal });
}

/** Installs the packages for the type checker; returns the folder of their `node_modules`. */
export async function installTypes(
  dependencies: readonly string[],
  { deps, signal }: InstallOptions,
): Promise<string | undefined> {
  const npmDependencies = dependencies.map(readDependency).filter(({ scheme }) => scheme === "npm");
  if (npmDependencies.length === 0) return undefined;
  const packages = Object.fromEntries(
    npmDependencies.map(({ name, range }) => [name, range ?? "*"]),
  );
  const manifest = JSON.stringify({ dependencies: packages });
  const id = createHash("sha256").update(manifest).digest("hex").slice(0, 32);
  const folder = join(deps.cacheDir, "pack_types", id);
  const done = join(folder, "installed");
  if (await exists(done)) return folder;
  openStateFolder(folder, { root: deps.cacheDir });
  await Deno.writeTextFile(join(folder, "package.json"), manifest, PRIVATE);
  // Deno searches parent folders for a configuration, but not above the root of a workspace.
  await Deno.writeTextFile(join(folder, "deno.json"), JSON.stringify({ workspace: [] }), PRIVATE);
  const args = ["install", "--quiet", "--no-lock", "--node-modules-dir=auto"];
  await runDeno(args, { ...deps, cwd: folder, signal });
  await Deno.writeTextFile(done, "", PRIVATE);
  return folder;
}

function readDependency(text: string): Dependency {
  const [, scheme = "npm", name, range] = SPECIFIER.exec(text.trim()) ?? [];
  if (name !== undefined) return { scheme, name, range };
  throw new Error(`"${text}" names no package: write "name@range", "npm:…" or "jsr:…"`);
}

interface RunOptions extends InstallDeps {
  readonly cwd: string;
  readonly signal: AbortSignal;
}

async function runDeno(args: readonly string[], options: RunOptions): Promise<void> {
  const child = new Deno.Command(options.deno, {
    args: [...args],
    cwd: options.cwd,
    clearEnv: true,
    env: { ...options.environment, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  await using _end = endWith(child, options.signal);
  const { success, stderr } = await child.output();
  options.signal.throwIfAborted();
  if (success) return;
  const text = new TextDecoder().decode(stderr).trim();
  throw new Error(text.replace(/^error: /, "").slice(0, 1000) || "Deno gave no reason");
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
