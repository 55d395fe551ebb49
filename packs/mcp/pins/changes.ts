/** Changes of tools since they were first seen, for a person: read from disk, without a server. */

import { silent } from "#base";
import type { ServerConfig } from "../../server_config.ts";
import type { ToolSpec } from "../../types.ts";
import { createToolCache } from "../tools/tool_cache.ts";
import { type PartChange, partsOf } from "./pin.ts";
import { pinPath, type PinSet, readPins, updatePins } from "./pin_file.ts";
import type { PinMode } from "./pin_modes.ts";
import { reviewWith, type ServerList } from "./pins.ts";

export interface PinSources {
  readonly cacheDir: string;
  readonly servers: readonly ServerConfig[];
  readonly mode: PinMode;
}

export interface PinReport {
  readonly changes: readonly PinChange[];
  /** Path of the file where it is damaged. */
  readonly damaged: string | undefined;
}

export interface PinChange extends PartChange {
  /** `github.create_issue`. */
  readonly tool: string;
}

/** Compares the lists that servers sent last with the pins. */
export function readPinChanges({ cacheDir, servers, mode }: PinSources): PinReport {
  if (mode === "off") return { changes: [], damaged: undefined };
  const pins = readPins(cacheDir);
  const changes = servers.flatMap((config) =>
    changesOf(pins, { server: config.name, tools: listOf(config, cacheDir), mode })
  );
  return { changes, damaged: pins.isDamaged ? pinPath(cacheDir) : undefined };
}

export interface Acceptance {
  readonly server: ServerConfig;
  /** One tool of it; all where missing. */
  readonly tool?: string;
  /** Returns true if a person has seen these changes: they are all changes of the server. */
  readonly isSeen: (changes: readonly PinChange[]) => boolean;
}

/** Pins tools as they are now: those of a server, or one of them. Returns their names: none where
 * there is no such tool, undefined where no person has seen what has changed. */
export async function acceptPins(
  { cacheDir, servers: all, mode }: PinSources,
  { server, tool, isSeen }: Acceptance,
): Promise<readonly string[] | undefined> {
  const list = listOf(server, cacheDir);
  const tools = list.filter(({ name }) => tool === undefined || name === tool);
  if (tools.length === 0) return [];
  let seen = false;
  await updatePins(cacheDir, (pins) => {
    seen = isSeen(changesOf(pins, { server: server.name, tools: list, mode }));
    if (!seen) return pins;
    const { servers, isDamaged } = pins;
    const pinned = tool === undefined ? undefined : servers.get(server.name);
    const entries = tools.map((tool) => [tool.name, tool] as const);
    servers.set(server.name, new Map([...pinned ?? [], ...entries]));
    return { servers, isDamaged: isDamaged && all.some(({ name }) => !servers.has(name)) };
  });
  return seen ? tools.map(({ name }) => `${server.name}.${name}`) : undefined;
}

function changesOf(pins: PinSet, list: ServerList): readonly PinChange[] {
  if (list.mode === "off") return [];
  return [...reviewWith(pins, list).review.changes].flatMap(([name, change]) =>
    partsOf(change).map((part) => ({ tool: `${list.server}.${name}`, ...part }))
  );
}

function listOf(config: ServerConfig, cacheDir: string): readonly ToolSpec[] {
  return createToolCache(config, cacheDir, silent).read()?.tools ?? [];
}
