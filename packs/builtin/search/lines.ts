/** Lines of a text, and how much of one is shown. */

import type { Match } from "./protocol.ts";

const MAX_SHOWN = 500;
const BEFORE_MATCH = 100;

/** What the matches of one search may hold together, in characters: whoever asked gets them at once,
 * with many lines around each. */
export const MOST_CHARACTERS = 8_000_000;

/** Characters of a match and of the lines around it. */
export function sizeOf({ text, before = [], after = [] }: Match): number {
  return [text, ...before, ...after].reduce((sum, line) => sum + line.length, 0);
}

/** The line without what ends it. */
export function withoutEnd(line: string): string {
  return line.replace(/\r?\n?$/, "");
}

/** A line, shortened around a column where it is very long. */
export function clip(line: string, column = 1): string {
  if (line.length <= MAX_SHOWN) return line;
  const from = Math.max(0, Math.min(column - 1 - BEFORE_MATCH, line.length - MAX_SHOWN));
  const to = from + MAX_SHOWN;
  const shown = line.slice(from, to).toWellFormed();
  return `${from > 0 ? "…" : ""}${shown}${to < line.length ? "…" : ""}`;
}

/** A match with the lines around it, as far as they are known. */
export function withContext(
  match: Match,
  lineAt: (line: number) => string | undefined,
  { context, lines = 1 }: { readonly context: number; readonly lines?: number },
): Match {
  if (context === 0) return match;
  const take = (numbers: readonly number[]) =>
    numbers.map(lineAt).filter((line) => line !== undefined).map((line) => clip(line));
  const around = Array.from({ length: context }, (_, index) => index);
  const before = take(around.map((index) => match.line - context + index));
  return { ...match, before, after: take(around.map((index) => match.line + lines + index)) };
}
