/** `ot.tools` and `ot.packs`: tools and packs, filtered, at a level of detail. */

import { createTurns, type JsonValue } from "#base";
import { type Args, type Pack, packGoesBy, type PackState, type ToolEntry } from "#packs";
import type { LookupDeps, OtDeps } from "../deps.ts";
import { infoOf, matches } from "./info.ts";
import { brief, callName, describeTool } from "./describe_tool.ts";
import { toolText } from "./tool_text.ts";

/** `ot.tools(pattern, info, pack)`, in the order of the config (OT-01 to 07). */
export async function listTools(
  { registry, learned, inTurn }: Pick<LookupDeps, "registry" | "learned" | "inTurn">,
  { pattern, info, pack }: Args,
): Promise<JsonValue> {
  const level = infoOf(info);
  return await inPieces(registry().entries(), (entry) => {
    if (typeof pack === "string" && !packGoesBy(entry, pack)) return undefined;
    const isMatch = pattern === undefined ||
      matches(pattern, callName(entry), `${entry.pack}.${entry.tool}`, entry.wire);
    if (!isMatch || level !== "full") {
      return isMatch ? describeTool(entry, level) : undefined;
    }
    const otherwise = describeTool(entry, "min");
    return toolText(entry, () => describeTool(entry, level, learned), { inTurn, otherwise });
  });
}

/** `ot.packs(pattern, info)`, in the order of the config (OT-25 to 31). */
export async function listPacks(deps: LookupDeps, { pattern, info }: Args): Promise<JsonValue> {
  const registry = deps.registry();
  const packs = registry.packs().filter(({ name }) => matches(pattern, name));
  const level = infoOf(info);
  if (level === "list") return packs.map(({ name }) => name);
  if (level === "min") return packs.map(headOf);
  const entries = Map.groupBy(registry.entries(), (entry) => entry.pack);
  const described: JsonValue[] = [];
  for (const pack of packs) {
    described.push(await describePack(deps, pack, entries.get(pack.name) ?? []));
  }
  return described;
}

/** Everything about one pack. */
export async function describePack(
  { instructions }: Pick<OtDeps, "instructions">,
  pack: Pack,
  entries: readonly ToolEntry[],
): Promise<{ readonly [key: string]: JsonValue }> {
  const text = Object.hasOwn(instructions, pack.name) ? instructions[pack.name] : undefined;
  return {
    ...headOf(pack),
    status: pack.status().state,
    ...(text ? { instructions: text } : {}),
    tools: await inPieces(entries, (entry) => ({
      name: callName(entry),
      description: brief(entry.spec.description),
    })),
  };
}

interface PackHead {
  readonly name: string;
  readonly source: "proxy" | "local";
  readonly tool_count: number;
  /** Only where it cannot be used, as the next. */
  readonly status?: PackState;
  readonly problem?: string;
}

function headOf(pack: Pack): PackHead & Record<string, JsonValue> {
  const source = pack.source.startsWith("proxy:") ? "proxy" : "local";
  const head = { name: pack.name, source, tool_count: pack.tools().length } as const;
  const { state, error } = pack.status();
  const problem = pack.problem?.() ?? error;
  return problem ? { ...head, status: state, problem } : head;
}

/** Maps items in pieces, with a turn for other work between them; undefined is left out. */
async function inPieces<T, R>(
  items: readonly T[],
  make: (item: T) => R | Promise<R> | undefined,
): Promise<R[]> {
  const rows: R[] = [];
  const turn = createTurns();
  for (const item of items) {
    await turn();
    const one = await make(item);
    if (one !== undefined) rows.push(one);
  }
  return rows;
}
