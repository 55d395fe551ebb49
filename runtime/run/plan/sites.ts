/** Places in the code that call a tool: their lines, and what the code does with the results. */

import { isCallOf, type ToolEntry } from "#packs";
import type { Place } from "../../syntax/place.ts";
import type { ReadyProgram, ToolCallPlace } from "../../program/types.ts";
import { callKey } from "../approval/approvals.ts";
import type { Question } from "../types.ts";

export interface Sites {
  /** The most that any place does with a result of the tool. */
  useOf(entry: ToolEntry): ToolCallPlace["use"];
  /** Lines of the calls of one tool, in the order they were made; undefined where the code does not
   * tell which of several it was. */
  linesOf(entry: ToolEntry, calls: readonly Question[]): readonly (number | undefined)[];
}

/** Finds what the code shows of calls; `literals` are those with literal arguments. */
export function createSites(
  { toolCalls, program: { entry: file }, place }: ReadyProgram,
  literals: readonly Question[],
): Sites {
  const remembered = new Map<ToolEntry, readonly ToolCallPlace[]>();
  const lineOf = ({ from }: ToolCallPlace) => place(file, from).line;

  function placesOf(entry: ToolEntry): readonly ToolCallPlace[] {
    const places = remembered.get(entry) ??
      toolCalls.filter((call) => isCallOf(entry, call));
    remembered.set(entry, places);
    return places;
  }

  return {
    useOf(entry) {
      const uses = new Set(placesOf(entry).map(({ use }) => use));
      if (uses.size === 0 || uses.has("tested")) return "tested";
      return uses.has("kept") ? "kept" : "dropped";
    },
    linesOf(entry, calls) {
      const places = placesOf(entry);
      // Each place made one call; the arguments of a call are made before it.
      if (places.length === calls.length && places.every(({ isOnce }) => isOnce)) {
        return places.toSorted((one, other) => compare(one.to, other.to)).map(lineOf);
      }
      return linesByArguments(calls, { literals, lines: places.map(lineOf) });
    },
  };
}

/** Lines of the calls: that of the literal call, if no other has its arguments, else that of the one
 * line with other calls. */
function linesByArguments(
  calls: readonly Question[],
  { literals, lines }: {
    readonly literals: readonly Question[];
    readonly lines: readonly number[];
  },
): readonly (number | undefined)[] {
  const all = new Set(lines);
  const own = literals.filter(({ tool }) => tool === calls[0]?.tool);
  const places = Map.groupBy(own, callKey);
  const made = Map.groupBy(calls, callKey);
  const others = all.difference(new Set(own.map(({ line }) => line)));
  return calls.map((call) => {
    if (all.size === 1) return lines[0];
    const literal = places.get(callKey(call)) ?? [];
    const isPlain = others.size === 0 || made.get(callKey(call))?.length === 1;
    if (literal.length > 0) return literal.length === 1 && isPlain ? literal[0]?.line : undefined;
    return others.size === 1 ? [...others][0] : undefined;
  });
}

function compare(one: Place, other: Place): number {
  return one.line - other.line || one.column - other.column;
}
