/** Changes of tools since they were first seen, for a person: read from disk, without a server. */

import { silent } from "#base";
import type { ServerConfig } from "../../server_config.ts";
import type { ToolSpec } from "../../types.ts";
import { createToolCache } from "../tools/tool_cache.ts";
import { type PartChange, partsOf } from "./pin.ts";
import { pinPath, readPins, updatePins } from "./pin_file.ts";
import type { PinMode } from "./pin_modes.ts";
import { reviewWith } from "./pins.ts";

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
  const changes = servers.flatMap((config) => {
    const server = config.name;
    const { review } = reviewWith(pins, { server, tools: listOf(config, cacheDir), mode });
    return [...review.changes].flatMap(([name, change]) =>
      partsOf(change).map((part) => ({ tool: `${server}.${name}`, ...part }))
    );
  });
  return { changes, damaged: pins.isDamaged ? pinPath(cacheDir) : undefined };
}

/** Pins tools as they are now: those of a server, or one of them. Returns their names; empty where
 * there is no such tool. */
export async function acceptPins(
  { cacheDir, servers: all }: Omit<PinSources, "mode">,
  { server, tool }: { readonly server: ServerConfig; readonly tool?: string },
): Promise<readonly string[]> {
  const tools = listOf(server, cacheDir).filter(({ name }) => tool === undefined || name === tool);
  if (tools.length === 0) return [];
  await updatePins(cacheDir, ({ servers, isDamaged }) => {
    const pinned = tool === undefined ? undefined : servers.get(server.name);
    const entries = tools.map((tool) => [tool.name, tool] as const);
    servers.set(server.name, new Map([...pinned ?? [], ...entries]));
    return { servers, isDamaged: isDamaged && all.some(({ name }) => !servers.has(name)) };
  });
  return tools.map(({ name }) => `${server.name}.${name}`);
}

function listOf(config: ServerConfig, cacheDir: string): readonly ToolSpec[] {
  return createToolCache(config, cacheDir, silent).read()?.tools ?? [];
}
