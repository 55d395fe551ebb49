/** Maps places in a rewritten command to those in the author's text. */

import { originalColumn } from "../syntax/edits.ts";
import type { Place, Shift } from "../syntax/place.ts";
import type { CommandMap } from "./types.ts";

/** Author's place for a place in the rewritten text without its prelude. */
export function authorPlace({ shifts, lines }: CommandMap, place: Place): Place {
  const moved = { line: place.line, column: Math.max(1, originalColumn(shifts, place)) };
  if (!lines) return moved;
  return lines[Math.min(moved.line, lines.length) - 1] ?? { line: 1, column: 1 };
}

/** Joins the shifts of two rewritings, the second made on the result of the first. */
export function composed(first: readonly Shift[], second: readonly Shift[]): readonly Shift[] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  return [...first, ...moveBack(first, second)]
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Maps shifts back as `originalColumn` does, in one pass over places in the order of the text. */
function moveBack(first: readonly Shift[], second: readonly Shift[]): Shift[] {
  let index = 0;
  let line = 0;
  let moved = 0;
  return second.map((shift) => {
    if (shift.line !== line) {
      line = shift.line;
      moved = 0;
      while (index < first.length && (first[index]?.line ?? line) < line) index++;
    }
    let next = first[index];
    while (next?.line === line && shift.column >= next.column + moved + next.length) {
      moved += next.length;
      next = first[++index];
    }
    const within = next?.line === line && shift.column >= next.column + moved;
    return { ...shift, column: within && next ? next.column : shift.column - moved };
  });
}
