/** Changes that servers report again and again, for clients that may read none of them. */

import type { McpChange } from "../types.ts";

export interface MergedChanges extends Disposable {
  /** Passes a change on: at once, or with its repetitions after the interval. */
  add(change: McpChange): void;
}

const INTERVAL_MS = 200;

/** Passes equal changes on at most once in each interval: a change is a state, and one that is unread
 * needs no second. */
export function mergeChanges(
  tell: (change: McpChange) => void,
  intervalMs = INTERVAL_MS,
): MergedChanges {
  const waiting = new Map<string, { isRepeated: boolean; timer: ReturnType<typeof setTimeout> }>();

  function add(change: McpChange): void {
    const key = JSON.stringify(change);
    const earlier = waiting.get(key);
    if (earlier) {
      earlier.isRepeated = true;
      return;
    }
    tell(change);
    const entry = {
      isRepeated: false,
      timer: setTimeout(() => {
        waiting.delete(key);
        if (entry.isRepeated) add(change);
      }, intervalMs),
    };
    waiting.set(key, entry);
  }

  return {
    add,
    [Symbol.dispose]() {
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
