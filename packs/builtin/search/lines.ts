/** Lines of matches, shortened for results. */

import type { Match } from "./protocol.ts";

const MAX_LENGTH = 500;
const BEFORE_MATCH = 100;

/** Limit for the matches of one search with their context, in characters. */
export const MOST_CHARACTERS = 8_000_000;

/** Length of a match and the lines around it, in characters. */
export function sizeOf({ text, before = [], after = [] }: Match): number {
  return [text, ...before, ...after].reduce((sum, line) => sum + line.length, 0);
}

/** The line without its end. */
export function withoutEnd(line: string): string {
  return line.replace(/\r?\n?$/, "");
}

/** Shortens a long line around a column. */
export function clip(line: string, column = 1): string {
  if (line.length <= MAX_LENGTH) return line;
  const from = Math.max(0, Math.min(column - 1 - BEFORE_MATCH, line.length - MAX_LENGTH));
  const to = from + MAX_LENGTH;
  const excerpt = line.slice(from, to).toWellFormed();
  return `${from > 0 ? "…" : ""}${excerpt}${to < line.length ? "…" : ""}`;
}

/** Adds the lines around a match that `lineAt` has. */
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
