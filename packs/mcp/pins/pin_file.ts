/** Tools as they were first seen, in one file of a project that several gateways write. */

import { Buffer } from "node:buffer";
import { join } from "node:path";
import { attempt, isObject } from "#base";
import { lockFile, openStateFolder, readOwn, writeWhole } from "#files";
import type { ToolSpec } from "../../types.ts";
import { readTool } from "../tools/tool_list.ts";

/** Tools by server and name. */
export type PinnedTools = Map<string, Map<string, ToolSpec>>;

export interface PinSet {
  readonly servers: PinnedTools;
  /** True from the loss of a file until each server is accepted: servers that are not in it are not
   * new, but unknown. */
  readonly isDamaged: boolean;
}

const NAME = "pins.json";
const LOCK = "pins.lock";
const VERSION = 1;
const MOST_BYTES = 64 * 1024 * 1024;
/** Bytes of the tools in the file; the rest is room for the names of servers. */
export const MOST_PINNED = MOST_BYTES / 2;
/** Others hold the lock for milliseconds, unless they are stopped. */
const PATIENCE_MS = 3_000;

/** Path of the pins below a project's cache folder. */
export function pinPath(cacheDir: string): string {
  return join(cacheDir, NAME);
}

/** Mark of the file that each write changes; undefined where the file is missing. */
export function pinMark(cacheDir: string): string | undefined {
  // It is not there yet.
  const info = attempt(() => Deno.statSync(pinPath(cacheDir)));
  return info && `${info.ino}:${info.size}:${info.mtime?.getTime()}`;
}

/** Reads the pins: none where the file is missing, damaged ones where it cannot be used. */
export function readPins(cacheDir: string): PinSet {
  try {
    const own = readOwn(pinPath(cacheDir), { maxBytes: MOST_BYTES });
    if (own.kind === "missing") return { servers: new Map(), isDamaged: false };
    if (own.kind === "text") return readText(own.text);
  } catch {
    // What it held is unknown, whatever the reason.
  }
  return damaged();
}

function damaged(): PinSet {
  return { servers: new Map(), isDamaged: true };
}

function readText(text: string): PinSet {
  const file: unknown = JSON.parse(text);
  if (!isObject(file) || file.version !== VERSION || !isObject(file.servers)) return damaged();
  const servers: PinnedTools = new Map();
  for (const [server, list] of Object.entries(file.servers)) {
    if (!Array.isArray(list)) return damaged();
    const tools = list.map(readTool).filter((tool) => "inputSchema" in tool);
    if (tools.length !== list.length) return damaged();
    servers.set(server, new Map(tools.map((tool) => [tool.name, tool])));
  }
  return { servers, isDamaged: file.damaged === true };
}

/** Changes the pins while no other process does. `read` gives them as they are then. Throws where they
 * cannot be written. */
export async function updatePins(
  cacheDir: string,
  change: (pins: PinSet) => PinSet,
  read = () => readPins(cacheDir),
): Promise<PinSet> {
  openStateFolder(cacheDir, { root: cacheDir });
  using lock = await lockFile(join(cacheDir, LOCK), { timeoutMs: PATIENCE_MS });
  if (!lock) throw new Error("another process holds the lock of the pins");
  const pins = change(read());
  const servers = [...pins.servers].map(([server, tools]) => [server, [...tools.values()]]);
  const text = JSON.stringify({
    version: VERSION,
    ...(pins.isDamaged ? { damaged: true } : {}),
    servers: Object.fromEntries(servers),
  });
  if (Buffer.byteLength(text) > MOST_BYTES) throw new Error("there are too many tools to pin");
  writeWhole(pinPath(cacheDir), text, { root: cacheDir, mode: 0o600 });
  return pins;
}
