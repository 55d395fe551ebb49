/** Places in the code that call a tool: their lines, and what the code does with the results. */

import { isCallOf, type ToolEntry } from "#packs";
import type { ReadyProgram, ToolCallPlace } from "../../program/types.ts";
import { callKey } from "../approval/approvals.ts";
import type { Question } from "../types.ts";

export interface ToolUse {
  /** Missing where the code shows several, or none. */
  readonly line?: number;
  readonly use: ToolCallPlace["use"];
}

/** Finds what the code shows of a call: its line if only one calls the tool, or calls it with these
 * literal arguments, and the most that any of its places does with the result. */
export function createSites(
  { toolCalls, program: { entry: file }, place }: ReadyProgram,
  literals: readonly Question[],
): (call: Question, entry: ToolEntry) => ToolUse {
  const remembered = new Map<ToolEntry, readonly ToolCallPlace[]>();
  const literalLines = Map.groupBy(literals, callKey);

  function placesOf(entry: ToolEntry): readonly ToolCallPlace[] {
    const places = remembered.get(entry) ??
      toolCalls.filter((call) => isCallOf(entry, call));
    remembered.set(entry, places);
    return places;
  }

  return (call, entry) => {
    const places = placesOf(entry);
    const uses = new Set(places.map(({ use }) => use));
    const use = uses.size === 0 || uses.has("tested")
      ? "tested"
      : uses.has("kept")
      ? "kept"
      : "dropped";
    const lines = new Set(places.map(({ from }) => place(file, from).line));
    const [line] = lines.size === 1
      ? lines
      : (literalLines.get(callKey(call)) ?? []).map((literal) => literal.line);
    return { use, ...(line === undefined ? {} : { line }) };
  };
}
