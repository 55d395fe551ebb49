// deno-lint-ignore-file no-console -- a script for maintainers
/** `deno task package [FOLDER] [--bundle]`: the npm package in `dist/`, plain JavaScript: Deno runs no
 * TypeScript below `node_modules`; with `--bundle` also the bundle for Claude Desktop. */

import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMANDS } from "../cli/commands.ts";
import { manPage } from "../cli/help/manual.ts";
import manifest from "../deno.json" with { type: "json" };
import registry from "../server.json" with { type: "json" };
import { packageFacts } from "./bridge_facts.ts";
import { writeBundle } from "./bundle.ts";
import { imports } from "./import_names.ts";
import { toJavaScript } from "./to_javascript.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Folders of the program; the rest of the tree is for those who work on it. */
const FOLDERS = [
  "assembly",
  "base",
  "cli",
  "config",
  "files",
  "gateway",
  "npm",
  "packs",
  "plugin",
  "runtime",
  "sandbox",
  "telemetry",
];

const isBundle = Deno.args.includes("--bundle");
const out = resolve(Deno.args.find((word) => !word.startsWith("--")) ?? join(ROOT, "dist"));
const archive = join(out, `toolscript-${manifest.version}.tgz`);
const build = await Deno.makeTempDir({ prefix: "toolscript-package-" });
try {
  const packages = new Set<string>();
  for (const file of ["main.ts", ...(await Promise.all(FOLDERS.map(filesBelow))).flat()]) {
    for (const name of await put(file)) packages.add(name);
  }
  const texts = [
    "deno.json",
    "deno.lock",
    "import_map.json",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
  ];
  for (const file of [...texts, ...await filesBelow("examples")]) await copy(file);
  const empty = join(build, "empty");
  await Deno.mkdir(empty);
  const facts = JSON.stringify(await packageFacts(manifest.version, empty));
  await Deno.remove(empty);
  await Deno.writeTextFile(join(build, "npm", "bridge", "facts.json"), facts);
  await Deno.writeTextFile(join(build, "npm", "toolscript.1"), manPage(COMMANDS, manifest.version));
  await Deno.writeTextFile(join(build, "package.json"), packageManifest(packages));
  await Deno.mkdir(out, { recursive: true });
  await npmPack();
} finally {
  await Deno.remove(build, { recursive: true });
}
say(archive);
if (isBundle) say(await writeBundle({ archive, out, version: manifest.version }));

function say(file: string): void {
  console.log(`Wrote ${relative(Deno.cwd(), file)}`);
}

/** Puts a file into the package; returns the npm packages that it imports. TypeScript is there twice:
 * as the JavaScript that runs, and as the text from which the modules of programs are made. */
async function put(file: string): Promise<readonly string[]> {
  await copy(file);
  if (!/\.tsx?$/.test(file) || file.endsWith(".d.ts")) return [];
  const text = file.endsWith("x")
    ? await withoutJsx(file)
    : await Deno.readTextFile(join(ROOT, file));
  const { code, packages } = toJavaScript(text, { file, aliases: imports.aliases });
  await Deno.writeTextFile(join(build, file.replace(/\.tsx?$/, ".js")), code);
  return packages;
}

/** Text of a file whose elements have become calls. */
async function withoutJsx(file: string): Promise<string> {
  const args = ["transpile", "--quiet", `--config=${join(ROOT, "deno.json")}`, join(ROOT, file)];
  const command = new Deno.Command(Deno.execPath(), { args, stderr: "inherit" });
  const { success, stdout } = await command.output();
  if (!success) throw new Error(`Cannot pack ${file}: deno transpile failed`);
  return new TextDecoder().decode(stdout);
}

async function copy(file: string): Promise<void> {
  const target = join(build, file);
  await Deno.mkdir(dirname(target), { recursive: true });
  await Deno.copyFile(join(ROOT, file), target);
}

async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(ROOT, folder))) {
    if (name === "__pycache__") continue;
    const path = join(folder, name);
    if (isDirectory) files.push(...await filesBelow(path));
    else files.push(path);
  }
  return files.sort();
}

function packageManifest(packages: ReadonlySet<string>): string {
  const used = [...packages].sort().map((name) => [name, imports.versionOf(name)]);
  const fields = {
    name: "toolscript",
    // the registry of MCP servers asks for its own name of the package
    mcpName: registry.name,
    version: manifest.version,
    description:
      "One tool for an AI agent: TypeScript that calls all the others, checked and sandboxed",
    license: manifest.license,
    type: "module",
    bin: { toolscript: "npm/starter.cjs" },
    man: ["npm/toolscript.1"],
    engines: { node: ">=20" },
    dependencies: { ...Object.fromEntries(used), deno: imports.denoVersion },
  };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

async function npmPack(): Promise<void> {
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", out];
  const { success } = await new Deno.Command("npm", { args, cwd: build, stdout: "null" }).output();
  if (!success) throw new Error("Cannot pack: npm pack failed");
}
