/** Use of the results of a tool in the code. */

import { isCallOf, type ToolEntry } from "#packs";
import type { ReadyProgram, ToolCallPlace } from "../../program/types.ts";

/** Makes the function that finds the most that any place in the code does with a result of a tool. */
export function createToolUse(
  { toolCalls }: Pick<ReadyProgram, "toolCalls">,
): (entry: ToolEntry) => ToolCallPlace["use"] {
  const remembered = new Map<ToolEntry, ToolCallPlace["use"]>();
  return (entry) => {
    const use = remembered.get(entry) ??
      mostOf(toolCalls.filter((call) => isCallOf(entry, call)));
    remembered.set(entry, use);
    return use;
  };
}

function mostOf(places: readonly ToolCallPlace[]): ToolCallPlace["use"] {
  const uses = new Set(places.map(({ use }) => use));
  if (uses.size === 0 || uses.has("tested")) return "tested";
  return uses.has("kept") ? "kept" : "dropped";
}
