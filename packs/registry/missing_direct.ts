/** Entries of `direct` in the config that match no pack or tool. */

import { createToolFilter } from "../mcp/mod.ts";
import { closest } from "../nearest.ts";
import type { Pack } from "../types.ts";

const MOST_LISTED = 10;

/** Returns a message for each entry of `direct` without a pack or tool. Only the pack's name is
 * checked while its tools are unknown. */
export function missingDirect(direct: readonly string[], packs: readonly Pack[]): string[] {
  return direct.flatMap((entry) => {
    const problem = problemOf(entry, packs);
    return problem === undefined ? [] : [`Cannot offer "${entry}" directly: ${problem}`];
  });
}

function problemOf(entry: string, packs: readonly Pack[]): string | undefined {
  const dot = entry.indexOf(".");
  const name = dot < 0 ? entry : entry.slice(0, dot);
  const pack = packs.find((each) => each.name === name);
  if (!pack) {
    const names = packs.map((each) => each.name);
    return `no such server or pack: ${wayOut(closest(name, names), names)}`;
  }
  const tools = pack.tools().map((tool) => tool.name);
  if (dot < 0 || tools.length === 0) return undefined;
  const pattern = entry.slice(dot + 1);
  if (tools.some(createToolFilter({ include: [pattern], exclude: [] }))) return undefined;
  return `no such tool in "${name}": ${wayOut(closest(pattern, tools), tools)}`;
}

function wayOut(near: string | undefined, names: readonly string[]): string {
  if (near !== undefined) return `did you mean "${near}"?`;
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : "";
  return `there are ${names.slice(0, MOST_LISTED).join(", ")}${more}`;
}
