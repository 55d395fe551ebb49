/** Picks lines of a text: a page, the end, or matches with the lines around them. */

import type { LinePage, LineSelection } from "./search_types.ts";

/** Between groups of lines that do not follow one another. */
const GAP = "--";

/** The lines from `offset`, or the last `tail`. */
export function pickLines(
  lines: Iterable<string>,
  { offset, limit, tail }: LineSelection,
): LinePage {
  if (tail !== undefined) return lastLines(lines, tail);
  const picked: string[] = [];
  let at = 0;
  for (const line of lines) {
    if (++at < offset) continue;
    if (picked.length === limit) return { lines: picked, first: offset, more: true };
    picked.push(line);
  }
  return { lines: picked, first: offset, more: false };
}

function lastLines(lines: Iterable<string>, tail: number): LinePage {
  let last: string[] = [];
  let count = 0;
  for (const line of lines) {
    count++;
    last.push(line);
    // Cut now and then: one by one would move every line each time.
    if (last.length > 2 * tail + 1_000) last = last.slice(-tail);
  }
  last = last.slice(-tail);
  return { lines: last, first: count - last.length + 1, more: false };
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
