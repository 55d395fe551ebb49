/** Bundle for Claude Desktop (`.mcpb`): a zip of the installed npm package and a manifest. */

import { join, relative } from "node:path";
import process from "node:process";
import { writeZip, type ZipEntry } from "./zip.ts";

export interface BundleOptions {
  /** The npm package. */
  readonly archive: string;
  /** Folder that the bundle is written to. */
  readonly out: string;
  readonly version: string;
}

const STARTER = "node_modules/toolscript/npm/starter.cjs";

/** Writes the bundle for the system and processor of this machine: Deno's executable is in it. Returns
 * its path. Needs npm and its registry. */
export async function writeBundle({ archive, out, version }: BundleOptions): Promise<string> {
  const { platform, arch } = process;
  const folder = await Deno.makeTempDir({ prefix: "toolscript-bundle-" });
  try {
    const flags = ["--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--silent"];
    const args = ["install", ...flags, "--prefix", folder, archive];
    const { success } = await new Deno.Command("npm", { args, stdout: "null" }).output();
    if (!success) throw new Error("Cannot bundle: npm install failed");
    const file = join(out, `toolscript-${version}-${platform}-${arch}.mcpb`);
    await writeZip(file, entriesOf(folder, bundleManifest(version, platform)));
    return file;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The manifest of the bundle. */
export function bundleManifest(version: string, platform: string): Record<string, unknown> {
  const args = [`\${__dirname}/${STARTER}`, "mcp", "--project", "${user_config.project}"];
  return {
    manifest_version: "0.3",
    name: "toolscript",
    display_name: "Toolscript",
    version,
    description:
      "One tool that runs TypeScript: it calls all other MCP servers, checked and sandboxed",
    author: { name: "The Toolscript authors" },
    license: "MIT",
    keywords: ["mcp", "typescript", "tools", "deno", "sandbox"],
    server: {
      type: "node",
      entry_point: STARTER,
      mcp_config: { command: "node", args, env: {} },
    },
    tools: [{ name: "run", description: "Runs a program that calls tools" }],
    tools_generated: true,
    compatibility: { platforms: [platform], runtimes: { node: ">=20" } },
    user_config: {
      project: {
        type: "directory",
        title: "Project",
        description: "Folder whose .onetool/onetool.yaml names the servers",
        required: false,
        default: "${HOME}",
      },
    },
  };
}

async function* entriesOf(folder: string, manifest: object): AsyncGenerator<ZipEntry> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  yield { name: "manifest.json", mode: 0o644, bytes: new TextEncoder().encode(text) };
  for await (const path of filesBelow(join(folder, "node_modules"))) {
    const { mode } = await Deno.stat(path);
    const name = relative(folder, path).replaceAll("\\", "/");
    yield { name, mode: (mode ?? 0o644) & 0o777, bytes: await Deno.readFile(path) };
  }
}

/** The files below a folder, in the order of their names. The links in `.bin` start nothing here. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  for (const { name, isDirectory } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = join(folder, name);
    if (name === ".bin" || name === ".package-lock.json") continue;
    if (isDirectory) yield* filesBelow(path);
    else yield path;
  }
}
