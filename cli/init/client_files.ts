/** Configuration files of other MCP clients, and the servers in them. */

import { join } from "node:path";
import JSON5 from "json5";
import { isObject } from "#base";
import { readOwn } from "#files";
import type { CliIo } from "../io.ts";

export interface ClientServer {
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** File of the entry. */
  readonly file: string;
}

export interface ClientServers {
  readonly servers: readonly ClientServer[];
  /** Messages about files that cannot be read. */
  readonly problems: readonly string[];
}

const IN_PROJECT = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"];

/** Reads the files of the clients of a folder; Claude Desktop has one for all folders. */
export function readClients(
  root: string,
  { io, desktop }: { readonly io: CliIo; readonly desktop: boolean },
): ClientServers {
  const files = IN_PROJECT.map((name) => join(root, name));
  if (desktop) files.push(desktopFile(io));
  const servers: ClientServer[] = [];
  const problems: string[] = [];
  for (const file of files) {
    try {
      const own = readOwn(file);
      if (own.kind === "text") servers.push(...serversIn(own.text, file));
      else if (own.kind === "refused") throw new Error(`${own.why}: ${own.fix}`);
      else if (desktop && file === files.at(-1)) throw new Error("no such file");
    } catch (error) {
      problems.push(`Cannot take servers from "${file}": ${why(error)}`);
    }
  }
  return { servers, problems };
}

function serversIn(text: string, file: string): ClientServer[] {
  // The files are JSON with comments.
  const root: unknown = JSON5.parse(text);
  const map = isObject(root) ? root.mcpServers ?? root.servers : undefined;
  if (!isObject(map)) return [];
  return Object.entries(map).map(([name, entry]) => ({
    name,
    entry: isObject(entry) ? entry : {},
    file,
  }));
}

function desktopFile({ env, home }: CliIo): string {
  const folder = Deno.build.os === "darwin"
    ? join(home, "Library", "Application Support")
    : Deno.build.os === "windows"
    ? env.APPDATA ?? join(home, "AppData", "Roaming")
    : env.XDG_CONFIG_HOME || join(home, ".config");
  return join(folder, "Claude", "claude_desktop_config.json");
}

function why(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^JSON5: /, "") : String(error);
}
