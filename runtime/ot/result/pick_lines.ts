/** Picks lines of a text: a page, the end, or matches with the lines around them. */

import type { LinePage, LineSelection } from "./search_types.ts";

/** Between groups of lines that do not follow one another. */
const GAP = "--";

/** Least bytes of a line in a reply beside its characters. */
export const AROUND_LINE = 3;

/** Maximum number of last lines that may fit. */
export function mostLines(tail: number, room: number): number {
  return Math.min(tail, Math.ceil(room / AROUND_LINE) + 1);
}

/** The lines from `offset`, or the last `tail`, as far as there may be room. */
export function pickLines(lines: Iterable<string>, selection: LineSelection): LinePage {
  const { offset, limit, tail, room } = selection;
  if (tail !== undefined) return lastLines(lines, { tail, room });
  const picked: string[] = [];
  let left = room;
  let at = 0;
  for (const line of lines) {
    if (++at < offset) continue;
    if (picked.length === limit || left < 0) return { lines: picked, first: offset, more: true };
    picked.push(line.slice(0, room + 1));
    left -= line.length + AROUND_LINE;
  }
  return { lines: picked, first: offset, more: false };
}

function lastLines(
  lines: Iterable<string>,
  { tail, room }: { readonly tail: number; readonly room: number },
): LinePage {
  const most = mostLines(tail, room);
  let last: string[] = [];
  let count = 0;
  for (const line of lines) {
    count++;
    last.push(line.slice(0, room + 1));
    // Cut in batches: a cut for each line would move all others each time.
    if (last.length > 2 * most + 1_000) last = last.slice(-most);
  }
  last = fitting(last.slice(-most), room);
  return { lines: last, first: count - last.length + 1, more: false };
}

/** The last lines for which there may be room, and one more. */
function fitting(lines: readonly string[], room: number): string[] {
  let start = lines.length;
  for (let left = room; start > 0 && left >= 0; start--) {
    left -= (lines[start - 1] ?? "").length + AROUND_LINE;
  }
  return lines.slice(start);
}

/** The lines that match, with `context` lines before and after each. */
export function* matchingLines(
  lines: Iterable<string>,
  { pattern, context }: { readonly pattern: RegExp; readonly context: number },
): Generator<string> {
  let before: string[] = [];
  let after = 0;
  let skipped = false;
  let any = false;
  for (const line of lines) {
    const isMatch = pattern.test(line);
    if (isMatch && skipped && any && context > 0) yield GAP;
    if (isMatch) {
      yield* before;
      before = [];
      skipped = false;
      any = true;
      after = context;
      yield line;
    } else if (after > 0) {
      after--;
      yield line;
    } else {
      before.push(line);
      if (before.length > context) skipped = before.splice(0, 1).length > 0;
    }
  }
}
