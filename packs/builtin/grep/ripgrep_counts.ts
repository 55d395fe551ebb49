/** From ripgrep's counts, `path NUL count`, to what was found. */

import type { ContentRequest, FileCount } from "../search/mod.ts";
import { shown } from "../search/paths.ts";
import { type Collector, inOrder } from "./ripgrep_events.ts";

/** Makes what takes the lines. */
export function createCounter(
  { want, limit, base }: ContentRequest,
  lets: (path: string) => boolean,
): Collector {
  const counts: FileCount[] = [];
  const isFull = () => counts.length > limit;
  return {
    take(line) {
      const end = line.lastIndexOf("\0");
      const path = line.slice(0, end);
      if (end < 0 || !lets(path)) return;
      counts.push({
        path: shown(path, base),
        count: want === "files" ? 1 : Number(line.slice(end + 1)),
      });
    },
    isFull,
    isComplete: () => false,
    found: () => ({ matches: [], counts: counts.sort(inOrder).slice(0, limit), more: isFull() }),
  };
}
