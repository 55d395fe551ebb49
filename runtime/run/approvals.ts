/** What was approved for one run: calls that were shown, each once, and tools as a whole. */

import { type CallQuestion, resolvePrefixes, type ToolEntry } from "#packs";
import { canonicalJson } from "./canonical_json.ts";
import type { Question } from "./types.ts";

export interface Approvals {
  /** Adds a call that was approved; it covers one. */
  add(call: Question): void;
  /** Adds a tool that is approved for the whole run, by a name that it has in code. */
  widen(tool: string): void;
  /** Whether a tool is approved for the whole run. */
  isWidened(names: readonly string[]): boolean;
  /** Whether a call was approved; an approval of one call is used up by this. */
  cover(call: CallQuestion): boolean;
  /** The same for a call that other code shows, called by this. */
  coverWithin(call: Question): boolean;
  /** The line where a tool is called, if the code shows exactly one. */
  lineOf(entry: ToolEntry): number | undefined;
}

/** Opens the approvals of a run whose code shows these calls. */
export function createApprovals(shown: readonly Question[]): Approvals {
  const unused: Question[] = [];
  const widened = new Set<string>();

  function use(at: number): boolean {
    if (at !== -1) unused.splice(at, 1);
    return at !== -1;
  }

  function find(call: CallQuestion): number {
    const names = namesOf(call.entry);
    const named = (approved: Question) => names.includes(approved.tool);
    const exact = unused.findIndex((approved) => named(approved) && isSame(approved, call));
    if (exact !== -1) return exact;
    return unused.findIndex((approved) => {
      return named(approved) && typeof approved.arguments === "string";
    });
  }

  return {
    add: (call) => unused.push(call),
    widen: (tool) => widened.add(tool),
    isWidened: (names) => names.some((name) => widened.has(name)),
    cover(call) {
      if (namesOf(call.entry).some((name) => widened.has(name))) return true;
      return use(find(call));
    },
    coverWithin({ tool, arguments: args }) {
      const wanted = canonicalJson([tool, args]);
      return use(unused.findIndex((call) => {
        return canonicalJson([call.tool, call.arguments]) === wanted;
      }));
    },
    lineOf(entry) {
      const names = namesOf(entry);
      const lines = shown.filter(({ tool }) => names.includes(tool)).map(({ line }) => line);
      return new Set(lines).size === 1 ? lines[0] : undefined;
    },
  };
}

/** Every name of a tool in code, its own first. */
export function namesOf(
  { pack, packKey, packSnake = packKey, tool, toolKey, snakeKey = toolKey, wire }: ToolEntry,
): readonly string[] {
  const names = new Set([tool, toolKey, snakeKey]);
  return [...new Set([pack, packKey, packSnake])]
    .flatMap((first) => [...names].map((second) => `${first}.${second}`))
    .concat(wire);
}

/** Whether the arguments that were shown are those of a call. */
function isSame({ arguments: shown }: Question, call: CallQuestion): boolean {
  if (typeof shown === "string") return false;
  const resolved = resolvePrefixes(shown, call.entry.spec.inputSchema);
  return canonicalJson(resolved) === canonicalJson(call.arguments);
}
