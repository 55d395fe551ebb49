/** What public MCP servers answered to `tools/list`, one file a server. */

import type { NamedPack, ToolSpec } from "#packs";

const FOLDER = new URL("../fixtures/corpus/", import.meta.url);

/** Every server of the corpus, by name. */
export async function readCorpus(): Promise<NamedPack[]> {
  const packs: NamedPack[] = [];
  for await (const { name: file } of Deno.readDir(FOLDER)) {
    const name = file.replace(/\.json\.gz$/, "");
    packs.push({ name, source: `proxy:${name}`, tools: await readServer(name) });
  }
  return packs.sort((one, other) => one.name < other.name ? -1 : 1);
}

/** The tools of one server. */
export async function readServer(name: string): Promise<ToolSpec[]> {
  const file = await Deno.open(new URL(`${name}.json.gz`, FOLDER));
  return await new Response(file.readable.pipeThrough(new DecompressionStream("gzip"))).json();
}
