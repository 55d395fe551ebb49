/** Errors of calls whose pack or tool is not there. */

import type { JsonObject } from "#base";
import { PackError } from "./errors.ts";
import { listed, nearest } from "./nearest.ts";
import type { Pack } from "./types.ts";

/** Error of a call of `name`, whose pack is not among `packs`. */
export function unknownPack(name: string, pack: string, packs: readonly Pack[]): PackError {
  const near = nearest(pack, packs.map(({ name }) => name));
  const state = `no such pack "${pack}": available: ${listed(near)}`;
  const details = { ...near } as unknown as JsonObject;
  return new PackError("unknown_pack", `Cannot call "${name}": ${state}`, { tool: name, details });
}

/** Error of a call of a tool that is not among the tools of its pack, whose names are its own text. */
export function unknownTool(
  { name: pack, external }: Pick<Pack, "name" | "external">,
  tool: string,
  tools: readonly string[],
): PackError {
  const name = `${pack}.${tool}`;
  const near = nearest(tool, tools);
  const state = `no such tool in "${pack}": available: ${listed(near)}`;
  const details = { ...near } as unknown as JsonObject;
  const options = { tool: name, details, external };
  return new PackError("unknown_tool", `Cannot call "${name}": ${state}`, options);
}
