/** Tool list of one server on disk, available before the server has started. */

import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { attempt, isObject, type Log } from "#base";
import { openStateFolder, readOwn, throughDraft } from "#files";
import type { ServerConfig } from "../../server_config.ts";
import type { ToolSpec } from "../../types.ts";
import type { Era } from "../connect/connection.ts";
import { purposeOf } from "../../purpose.ts";
import { readTool } from "./tool_list.ts";

export interface CachedTools {
  readonly tools: readonly ToolSpec[];
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  /** Handshake that worked. */
  readonly era: Era;
  readonly instructions: string | null;
}

export interface ToolCache {
  /** Saved list; undefined where it is missing or unreadable. */
  read(): CachedTools | undefined;
  write(cached: CachedTools): Promise<void>;
}

const VERSION = 1;
/** End of the name of the file with the purpose. */
const PURPOSE = ".purpose";
const MOST_PURPOSE = 200;
const MOST_BYTES = 256 * 1024 * 1024;
/** Tools written before the gateway yields. */
const BATCH = 100;

/** Makes the cache of one server below `cacheDir`. Its key is the start configuration: a changed command,
 * address, environment or header has an empty cache. */
export function createToolCache(config: ServerConfig, cacheDir: string, log: Log): ToolCache {
  const path = pathOf(config, cacheDir);
  return {
    read: () => readCache(path),
    write: (cached) =>
      writeCache(path, { cached, cacheDir, server: config.name }).catch((error) =>
        log("warning", "Cannot save a tool list", { server: config.name, error: String(error) })
      ),
  };
}

/** Purpose of a server, saved with its tool list: read before anything runs. Empty if unknown. */
export function readPurpose(config: ServerConfig, cacheDir: string): string {
  const path = `${pathOf(config, cacheDir)}${PURPOSE}`;
  // Missing or unreadable: it is saved with the next list.
  const own = attempt(() => readOwn(path, { maxBytes: MOST_PURPOSE }));
  return own?.kind === "text" && /^[\p{L}, ]*$/u.test(own.text) ? own.text : "";
}

function pathOf(config: ServerConfig, cacheDir: string): string {
  return join(cacheDir, "tools", `${identityOf(config)}.json`);
}

function identityOf(config: ServerConfig): string {
  const identity = config.kind === "stdio"
    ? [config.kind, config.command, config.args, sorted(config.env), config.cwd]
    : [config.kind, config.url, sorted(config.headers)];
  return createHash("sha256").update(JSON.stringify([VERSION, identity])).digest("hex");
}

function sorted(record: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Reads one JSON value a line: facts about the list, then each tool. */
function readCache(path: string): CachedTools | undefined {
  try {
    const own = readOwn(path, { maxBytes: MOST_BYTES });
    if (own.kind !== "text") return undefined;
    const [head, ...lines] = own.text.trimEnd().split("\n");
    const about: unknown = JSON.parse(head ?? "");
    if (!isObject(about) || about.version !== VERSION || about.count !== lines.length) return;
    if (typeof about.savedAt !== "number") return undefined;
    const tools = lines.map((line) => readTool(JSON.parse(line)));
    return {
      tools: tools.filter((tool) => "inputSchema" in tool),
      savedAt: about.savedAt,
      era: about.era === "legacy" ? "legacy" : "modern",
      instructions: typeof about.instructions === "string" ? about.instructions : null,
    };
  } catch {
    // Missing or damaged: the list is requested again.
    return undefined;
  }
}

async function writeCache(
  path: string,
  { cached, cacheDir, server }: {
    readonly cached: CachedTools;
    readonly cacheDir: string;
    readonly server: string;
  },
): Promise<void> {
  openStateFolder(dirname(path), { root: cacheDir });
  const { tools, instructions } = cached;
  const purpose = purposeOf({ name: server, text: instructions ?? "", tools });
  await writeAll(`${path}${PURPOSE}`, [purpose]);
  await writeAll(path, cacheText(cached));
}

async function writeAll(path: string, texts: Iterable<string>): Promise<void> {
  await throughDraft(path, async (draft) => {
    using file = await Deno.open(draft, { write: true, createNew: true, mode: 0o600 });
    const writer = file.writable.getWriter();
    const encoder = new TextEncoder();
    for (const text of texts) await writer.write(encoder.encode(text));
    await writer.close();
  });
}

function* cacheText({ tools, savedAt, era, instructions }: CachedTools): Generator<string> {
  const about = { version: VERSION, count: tools.length, savedAt, era, instructions };
  yield JSON.stringify(about) + "\n";
  for (let from = 0; from < tools.length; from += BATCH) {
    yield tools.slice(from, from + BATCH).map((tool) => JSON.stringify(tool) + "\n").join("");
  }
}
