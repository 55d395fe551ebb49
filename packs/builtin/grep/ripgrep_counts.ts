/** Reads ripgrep's counts: `path NUL count`. */

import type { ContentRequest, FileCount } from "../search/mod.ts";
import { relativeTo } from "../search/paths.ts";
import { type Collector, inOrder } from "./ripgrep_events.ts";

/** Makes the collector; `matches` tells whether a file is searched. */
export function createCounter(
  { want, limit, base }: ContentRequest,
  matches: (path: string) => boolean,
): Collector {
  const counts: FileCount[] = [];
  const isFull = () => counts.length > limit;
  return {
    take(line) {
      const end = line.lastIndexOf("\0");
      const path = line.slice(0, end);
      if (end < 0 || !matches(path)) return;
      counts.push({
        path: relativeTo(path, base),
        count: want === "files" ? 1 : Number(line.slice(end + 1)),
      });
    },
    isFull,
    isComplete: () => false,
    result: () => ({ matches: [], counts: counts.sort(inOrder).slice(0, limit), more: isFull() }),
  };
}
