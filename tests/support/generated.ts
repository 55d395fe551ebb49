/** Generated modules written to a folder, and the compiler run over them. */

import { dirname, join } from "node:path";
import { type NamedPack, nameTools, type ToolSpec } from "#packs";
import { createModuleGenerator, type ModuleGenerator } from "#runtime";

/** Creates a generator that holds these packs. */
export function generatorOf(packs: readonly NamedPack[]): ModuleGenerator {
  const generator = createModuleGenerator();
  generator.update(nameTools(packs).entries);
  return generator;
}

/** One pack with these tools, of any shape; what is left out of them is filled in. */
export function packOf(name: string, tools: readonly Record<string, unknown>[]): NamedPack {
  const specs = tools.map((tool) => ({ name: "tool", description: "", inputSchema: {}, ...tool }));
  return { name, source: `proxy:${name}`, tools: specs as unknown as ToolSpec[] };
}

/** Writes everything below `/runtime/`, `tools.ts` as the sandbox loads it. */
export async function writeModules(generator: ModuleGenerator, folder: string): Promise<string[]> {
  const files = new Map(generator.declarations());
  files.set("tools.ts", generator.file("tools.ts") ?? "");
  await writeFiles(folder, Object.fromEntries(files));
  return [...files.keys()];
}

/** Writes files by relative path. */
export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
}

/** What `deno check` says of files in a folder; empty when they pass. */
export async function checkFiles(folder: string, files: readonly string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", "--no-config", "--no-remote", "--no-npm", ...files],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  });
  const { success, stderr } = await command.output();
  const text = new TextDecoder().decode(stderr).trim();
  return success ? "" : text || "failed";
}
