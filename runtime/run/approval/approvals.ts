/** Approvals of one run: calls, each once, and tools as a whole. */

import { canonicalJson } from "#base";
import type { Question } from "../types.ts";

export interface Approvals {
  /** Adds a call that was approved; it covers one. */
  add(call: Question): void;
  /** Adds a call that was left out of a plan: it is refused, unless it was approved as well. */
  leaveOut(call: Question): void;
  hasLeftOut(): boolean;
  isLeftOut(call: Question): boolean;
  /** Adds a tool that is approved for the whole run. */
  widen(tool: string): void;
  /** Returns true if a tool is approved for the whole run. */
  isWidened(tool: string): boolean;
  /** Returns true if a call was approved, and uses up its approval. */
  cover(call: Question): boolean;
  /** The line where a tool is called, if the code shows exactly one and no other way to it. */
  lineOf(tool: string): number | undefined;
}

/** Opens the approvals of a run. `lines` has the lines in the code that call a tool. */
export function createApprovals(lines: ReadonlyMap<string, ReadonlySet<number>>): Approvals {
  const unused = new Map<string, number>();
  const widened = new Set<string>();
  const leftOut = new Set<string>();
  return {
    add(call) {
      const key = callKey(call);
      unused.set(key, (unused.get(key) ?? 0) + 1);
    },
    leaveOut: (call) => leftOut.add(callKey(call)),
    hasLeftOut: () => leftOut.size > 0,
    isLeftOut: (call) => leftOut.size > 0 && leftOut.has(callKey(call)),
    widen: (tool) => widened.add(tool),
    isWidened: (tool) => widened.has(tool),
    cover(call) {
      if (widened.has(call.tool)) return true;
      // The key of a large call takes long.
      if (unused.size === 0) return false;
      const key = callKey(call);
      const left = unused.get(key) ?? 0;
      if (left > 1) unused.set(key, left - 1);
      else unused.delete(key);
      return left > 0;
    },
    lineOf(tool) {
      const [line, another] = lines.get(tool) ?? [];
      return another === undefined ? line : undefined;
    },
  };
}

/** Returns the same text for two calls of one tool with the same arguments, at any line. */
export function callKey({ kind, tool, arguments: args }: Question): string {
  return canonicalJson([kind ?? "call", tool, args]);
}

/** Returns the calls without a confirmation; each confirmation counts once. */
export function without(calls: readonly Question[], confirmed: readonly Question[]): Question[] {
  const left = createApprovals(new Map());
  for (const call of confirmed) left.add(call);
  return calls.filter((call) => !left.cover(call));
}
