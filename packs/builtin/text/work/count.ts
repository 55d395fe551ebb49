/** Counts and truncates texts. */

import { JobRefused } from "../../../jobs/protocol.ts";

const SPECIAL_AS_TEXT = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

export interface Counts {
  readonly characters: number;
  readonly bytes: number;
  readonly words: number;
  readonly lines: number;
  readonly tokens?: number;
}

/** Counts a text. Characters are code points, words are separated by white space, a last line without
 * an end counts, tokens are those of `o200k_base`. */
export function count(
  { text, tokens }: { readonly text: string; readonly tokens: boolean },
): Counts | Promise<() => Counts> {
  const counts = {
    characters: countMatches(text, /./gsu),
    bytes: new TextEncoder().encode(text).length,
    words: countMatches(text, /\S+/gu),
    lines: countMatches(text, /\n/g) + (text === "" || text.endsWith("\n") ? 0 : 1),
  };
  if (!tokens) return counts;
  return tokenizer().then(({ countTokens }) => () => {
    return { ...counts, tokens: countTokens(text, SPECIAL_AS_TEXT) };
  });
}

export interface TruncateInput {
  readonly text: string;
  readonly max: number;
  readonly unit: "characters" | "bytes" | "words" | "lines" | "tokens";
  readonly keep: "start" | "end" | "both";
  readonly mark: string;
}

interface Truncated {
  readonly text: string;
  readonly truncated: boolean;
  readonly left_out: number;
}

/** Truncates a text to `max` units with its mark, between whole characters, words, lines or
 * tokens. */
export async function truncate(input: TruncateInput): Promise<() => Truncated> {
  const unit = await unitOf(input.unit);
  return () => cut(input, unit);
}

function cut(input: TruncateInput, { split, join }: Unit): Truncated {
  const { text, max, keep } = input;
  const pieces = split(text);
  if (pieces.length <= max) return { text, truncated: false, left_out: 0 };
  const room = max - split(input.mark).length;
  if (room < 0) {
    throw new JobRefused(`the mark alone is longer than max=${max}: pass a shorter mark`);
  }
  const tail = keep === "end" ? room : keep === "both" ? Math.floor(room / 2) : 0;
  const start = join(pieces.slice(0, room - tail));
  const end = join(pieces.slice(pieces.length - tail));
  return {
    text: start + input.mark + end,
    truncated: true,
    left_out: pieces.length - room,
  };
}

interface Unit {
  split(text: string): readonly (string | number)[];
  join(pieces: readonly (string | number)[]): string;
}

async function unitOf(unit: TruncateInput["unit"]): Promise<Unit> {
  const together = (pieces: readonly (string | number)[]) => pieces.join("");
  switch (unit) {
    case "characters":
      return { split: (text) => [...text], join: together };
    case "words":
      return { split: (text) => text.match(/\s*\S+\s*$|\s*\S+/gu) ?? [], join: together };
    case "lines":
      return { split: (text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [], join: together };
    case "bytes":
      return bytes();
    case "tokens": {
      const { encode, decode } = await tokenizer();
      return {
        split: (text) => encode(text, SPECIAL_AS_TEXT),
        join: (pieces) => decode(pieces as number[]).replaceAll("\uFFFD", ""),
      };
    }
    default:
      return unit satisfies never;
  }
}

function bytes(): Unit {
  return {
    split: (text) => [...new TextEncoder().encode(text)],
    // Drops a character that the cut splits.
    join: (pieces) => {
      const text = new TextDecoder().decode(new Uint8Array(pieces as number[]));
      return text.replace(/^\uFFFD+|\uFFFD+$/g, "");
    },
  };
}

function tokenizer() {
  return import("gpt-tokenizer/encoding/o200k_base");
}

/** Counts matches without keeping them: a large text has many. */
function countMatches(text: string, pattern: RegExp): number {
  let total = 0;
  for (const _ of text.matchAll(pattern)) total++;
  return total;
}
