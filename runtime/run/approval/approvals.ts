/** Approvals of one run: calls, each once, and tools as a whole. */

import type { Question } from "../types.ts";
import type { CallKeeper, KeptCall } from "./call_keeper.ts";

export interface Approvals {
  /** Adds a call that was approved; it covers one. */
  add(call: Pick<KeptCall, "key">): void;
  /** Adds a call that was left out of a plan: it is refused, unless it was approved as well. */
  leaveOut(call: Pick<KeptCall, "key">): void;
  hasLeftOut(): boolean;
  /** Adds a tool that is approved for the whole run. */
  widen(tool: string): void;
  /** Returns true if a tool is approved for the whole run. */
  isWidened(tool: string): boolean;
  /** Finds what was decided about a call, and uses up its approval; undefined where nothing was. */
  take(call: Question, signal?: AbortSignal): Promise<"approved" | "left out" | undefined>;
  /** The line where a tool is called, if the code shows exactly one and no other way to it. */
  lineOf(tool: string): number | undefined;
}

export interface ApprovalsDeps {
  readonly keyOf: CallKeeper["keyOf"];
  /** The lines in the code that call a tool. */
  readonly lines?: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Opens the approvals of a run. */
export function createApprovals({ keyOf, lines = new Map() }: ApprovalsDeps): Approvals {
  const unused = new CallCount();
  const widened = new Set<string>();
  const leftOut = new Set<string>();
  return {
    add: ({ key }) => unused.add(key),
    leaveOut: ({ key }) => void leftOut.add(key),
    hasLeftOut: () => leftOut.size > 0,
    widen: (tool) => widened.add(tool),
    isWidened: (tool) => widened.has(tool),
    async take(call, signal) {
      if (widened.has(call.tool)) return "approved";
      // The key of a large call takes long.
      if (unused.isEmpty && leftOut.size === 0) return undefined;
      const key = await keyOf(call, signal);
      if (unused.take(key)) return "approved";
      return leftOut.has(key) ? "left out" : undefined;
    },
    lineOf(tool) {
      const [line, another] = lines.get(tool) ?? [];
      return another === undefined ? line : undefined;
    },
  };
}

/** Returns the calls without a confirmation; each confirmation counts once. */
export function without<Call extends Pick<KeptCall, "key">>(
  calls: readonly Call[],
  confirmed: readonly Pick<KeptCall, "key">[],
): Call[] {
  const left = new CallCount();
  for (const { key } of confirmed) left.add(key);
  return calls.filter(({ key }) => !left.take(key));
}

/** Keys of calls, each as often as it was added. */
class CallCount {
  readonly #counts = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Takes one away; false where none is left. */
  take(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
    return count > 0;
  }
}
