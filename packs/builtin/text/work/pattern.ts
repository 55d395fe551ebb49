/** Regular expressions over a text. */

import { JobRefused } from "../../kit/job_protocol.ts";

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

/** Replaces all matches, or the first. */
export function replaceAll(
  { replacement, all, ...input }: PatternInput & {
    readonly replacement: string;
    readonly all: boolean;
  },
): { text: string; count: number } {
  const pattern = compile(input);
  let count = 0;
  for (const _ of input.text.matchAll(pattern)) if (++count === 1 && !all) break;
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
