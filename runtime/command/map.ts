/** From places in a rewritten command to the author's. */

import { originalColumn } from "../syntax/edits.ts";
import type { Place, Shift } from "../syntax/place.ts";
import type { CommandMap } from "./types.ts";

/** The author's place for one of the rewritten text (without its prelude). */
export function authorPlace({ shifts, lines }: CommandMap, place: Place): Place {
  const moved = { line: place.line, column: Math.max(1, originalColumn(shifts, place)) };
  if (!lines) return moved;
  return lines[Math.min(moved.line, lines.length) - 1] ?? { line: 1, column: 1 };
}

/** The shifts of two rewritings, one after the other, as those of one. */
export function composed(first: readonly Shift[], second: readonly Shift[]): readonly Shift[] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  return [...first, ...moveBack(first, second)]
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

/** What `originalColumn` says of each of many places, which come in the order of the text. */
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
