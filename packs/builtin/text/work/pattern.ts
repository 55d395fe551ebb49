/** Regular expressions over a text. */

import { JobRefused } from "../../../jobs/protocol.ts";

export interface PatternInput {
  readonly text: string;
  readonly pattern: string;
  /** Any of `imsuvy`. */
  readonly flags: string;
  /** True if the pattern is plain text. */
  readonly literal: boolean;
}

export interface Match {
  readonly match: string;
  /** Offset in UTF-16 code units. */
  readonly index: number;
  /** 1-based. */
  readonly line: number;
  readonly groups: readonly (string | null)[];
  readonly named: { readonly [name: string]: string | null };
}

/** Finds at most `limit` matches. Throws `JobRefused`. */
export function findAll(
  { limit, ...input }: PatternInput & { readonly limit: number },
): { matches: readonly Match[]; has_more: boolean } {
  const lines = lineCounter(input.text);
  const matches: Match[] = [];
  for (const result of input.text.matchAll(compile(input))) {
    if (matches.length === limit) return { matches, has_more: true };
    const [match, ...groups] = result;
    matches.push({
      match,
      index: result.index,
      line: lines(result.index),
      groups: groups.map((group) => group ?? null),
      named: namedGroups(result.groups),
    });
  }
  return { matches, has_more: false };
}

/** Replaces all matches, or the first. Throws `JobRefused`, before it is written, for a text of more
 * than `maxText` characters. */
export function replaceAll(
  { replacement, all, maxText, ...input }: PatternInput & {
    readonly replacement: string;
    readonly all: boolean;
    readonly maxText: number;
  },
): { text: string; count: number } {
  const pattern = compile(input);
  const lengthOf = input.literal ? () => replacement.length : replacementMeter(replacement);
  let [count, length, end] = [0, 0, 0];
  const check = (more: number) => {
    length += more;
    if (length <= maxText) return;
    throw new JobRefused(`it gives more than ${maxText} characters: replace in less text at once`);
  };
  for (const match of input.text.matchAll(pattern)) {
    check(match.index - end + lengthOf(match));
    end = match.index + match[0].length;
    if (++count === 1 && !all) break;
  }
  check(input.text.length - end);
  const once = all ? pattern : new RegExp(pattern.source, pattern.flags.replace("g", ""));
  const text = input.literal
    ? input.text.replace(once, () => replacement)
    : input.text.replace(once, replacement);
  return { text, count };
}

/** Splits a text at the matches. The last of `limit` pieces keeps the rest. */
export function splitBy(
  { limit, ...input }: PatternInput & { readonly limit: number | undefined },
): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { index, 0: { length } } of input.text.matchAll(compile(input))) {
    if (limit !== undefined && pieces.length === limit - 1) break;
    if (length === 0 && (index === 0 || index === input.text.length)) continue;
    pieces.push(input.text.slice(from, index));
    from = index + length;
  }
  return [...pieces, input.text.slice(from)];
}

function compile({ pattern, flags, literal }: PatternInput): RegExp {
  const all = flags.includes("g") ? flags : `${flags}g`;
  try {
    return new RegExp(literal ? RegExp.escape(pattern) : pattern, all);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new JobRefused(`${reason}: correct it, or pass literal=true to look for it as text`);
  }
}

/** Makes a function that gives the length of what stands in place of a match. */
function replacementMeter(replacement: string): (match: RegExpExecArray) => number {
  const names = /\$(?:[$&`']|(?<digits>\d\d?)|<(?<name>[^>]*)>)/g;
  const parts = [...replacement.matchAll(names)].map(({ 0: whole, groups }) => ({
    whole,
    digits: groups?.digits,
    name: groups?.name,
  }));
  const verbatim = parts.reduce((length, { whole }) => length - whole.length, replacement.length);
  return (match) => parts.reduce((length, part) => length + partLength(part, match), verbatim);
}

interface ReplacementPart {
  readonly whole: string;
  readonly digits: string | undefined;
  readonly name: string | undefined;
}

function partLength({ whole, digits, name }: ReplacementPart, match: RegExpExecArray): number {
  const { 0: { length }, index, input, groups } = match;
  if (digits !== undefined) return groupLength(digits, match);
  if (name !== undefined) return groups ? groups[name]?.length ?? 0 : whole.length;
  if (whole === "$&") return length;
  if (whole === "$`") return index;
  return whole === "$'" ? input.length - index - length : 1;
}

/** Length of `$1` or `$12`, which is the first group and a 2 where there are fewer than 12. */
function groupLength(digits: string, match: RegExpExecArray): number {
  const isGroup = (number: number) => number > 0 && number < match.length;
  if (isGroup(Number(digits))) return match[Number(digits)]?.length ?? 0;
  const first = Number(digits[0]);
  if (digits.length === 2 && isGroup(first)) return (match[first]?.length ?? 0) + 1;
  return digits.length + 1;
}

/** Counts on from the last place: the places come in order. */
function lineCounter(text: string): (index: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (index) => {
    while (next >= 0 && next < index) {
      line++;
      next = text.indexOf("\n", next + 1);
    }
    return line;
  };
}

function namedGroups(groups: Record<string, string | undefined> | undefined): Match["named"] {
  return Object.fromEntries(
    Object.entries(groups ?? {}).map(([name, value]) => [name, value ?? null]),
  );
}
