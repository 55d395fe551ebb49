/** Servers of a project's `.mcp.json`, which Toolscript shares with other programs. */

import { join } from "node:path";
import { attempt } from "#base";
import { trustsAll } from "#files";
import { isOwnEntry } from "#packs/own-entry";
import type { Node } from "./tree/node.ts";
import { emptyMap, type Layer, PROJECT_BOUNDS, readRoot } from "./tree/read.ts";
import type { ConfigFinding } from "./types.ts";

export type McpJson = Pick<Layer, "node" | "texts" | "findings"> & { readonly file: string };

/** The servers of `.mcp.json`; its other keys are for other programs. */
export async function readMcpJson(
  project: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<McpJson | undefined> {
  const file = join(project, ".mcp.json");
  // Most projects have none.
  if (await attempt(() => Deno.lstat(file)) === undefined) return undefined;
  const findings: ConfigFinding[] = [];
  const texts = new Map<string, string>();
  const root = readRoot(file, {
    findings,
    texts,
    bounds: PROJECT_BOUNDS,
    above: !trustsAll(env),
  });
  const servers = root?.entries.get("servers");
  const node = {
    ...root ?? emptyMap(file),
    entries: new Map(
      servers ? [["servers", { ...servers, value: withoutOwn(servers.value) }]] : [],
    ),
  };
  return { node, file, texts, findings };
}

/** The servers without Toolscript itself, which is in that file for other programs. */
function withoutOwn(servers: Node): Node {
  if (servers.kind !== "map") return servers;
  const others = [...servers.entries].filter(([, { value }]) => !isOwnEntry(commandLine(value)));
  return { ...servers, entries: new Map(others) };
}

function commandLine(server: Node): string[] {
  if (server.kind !== "map") return [];
  const args = server.entries.get("args")?.value;
  const nodes = [server.entries.get("command")?.value, ...args?.kind === "list" ? args.items : []];
  return nodes.map((node) => node?.kind === "scalar" ? String(node.value) : "");
}
