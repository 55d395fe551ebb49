/** `ot.tools` and `ot.packs`: what there is, filtered, at a level. */

import type { Args, Pack, ToolEntry } from "#packs";
import type { JsonValue } from "#sandbox";
import { infoOf, matches, type OtDeps } from "./deps.ts";
import { brief, callName, describeTool } from "./describe_tool.ts";

/** `ot.tools(pattern, info, pack)`, in the order of the config. */
export function listTools({ registry }: OtDeps, { pattern, info, pack }: Args): JsonValue {
  const entries = registry().entries().filter((entry) => {
    if (pack !== undefined && entry.pack !== pack && entry.packKey !== pack) return false;
    return matches(pattern, callName(entry), `${entry.pack}.${entry.tool}`, entry.wire);
  });
  return entries.map((entry) => describeTool(entry, infoOf(info)));
}

/** `ot.packs(pattern, info)`, in the order of the config. */
export function listPacks(deps: OtDeps, { pattern, info }: Args): JsonValue {
  const registry = deps.registry();
  const packs = registry.packs().filter(({ name }) => matches(pattern, name));
  const level = infoOf(info);
  if (level === "list") return packs.map(({ name }) => name);
  if (level === "min") return packs.map(headOf);
  const entries = Map.groupBy(registry.entries(), (entry) => entry.pack);
  return packs.map((pack) => describePack(deps, pack, entries.get(pack.name) ?? []));
}

/** Everything about one pack. */
export function describePack(
  { instructions }: Pick<OtDeps, "instructions">,
  pack: Pack,
  entries: readonly ToolEntry[],
): { readonly [key: string]: JsonValue } {
  const text = Object.hasOwn(instructions, pack.name) ? instructions[pack.name] : undefined;
  return {
    ...headOf(pack),
    status: pack.status().state,
    ...(text ? { instructions: text } : {}),
    tools: entries.map((entry) => ({
      name: callName(entry),
      description: brief(entry.spec.description),
    })),
  };
}

function headOf(pack: Pack): { readonly name: string; source: string; tool_count: number } {
  const source = pack.source.startsWith("proxy:") ? "proxy" : pack.source;
  return { name: pack.name, source, tool_count: pack.tools().length };
}
