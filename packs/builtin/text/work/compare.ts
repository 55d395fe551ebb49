/** Comparison of two texts. */

import { createTwoFilesPatch, diffChars, diffLines, diffWordsWithSpace } from "diff";

export interface CompareInput {
  readonly before: string;
  readonly after: string;
  readonly mode: "lines" | "words" | "characters";
  /** Unchanged lines around each change. */
  readonly context: number;
  readonly ignoreWhitespace: boolean;
  readonly names: readonly [string, string];
}

export interface Comparison {
  readonly equal: boolean;
  /** Lines, words or characters, by the mode. */
  readonly added: number;
  readonly removed: number;
  readonly diff: string;
}

/** Compares by lines as a patch, or by words or characters as `[-old-]{+new+}` in the text. */
export function compare(input: CompareInput): Comparison {
  const { before, after, mode, ignoreWhitespace } = input;
  const parts = mode === "lines"
    ? diffLines(before, after, { ignoreWhitespace })
    : mode === "words"
    ? diffWordsWithSpace(before, after)
    : diffChars(before, after);
  const changed = parts.filter((part) => part.added || part.removed);
  return {
    equal: changed.length === 0,
    added: sum(changed.filter((part) => part.added), mode),
    removed: sum(changed.filter((part) => part.removed), mode),
    diff: changed.length === 0 ? "" : mode === "lines" ? patch(input) : marked(parts),
  };
}

type Part = ReturnType<typeof diffChars>[number];

function sum(parts: readonly Part[], mode: CompareInput["mode"]): number {
  return parts.reduce((total, { count, value }) => {
    if (mode !== "words") return total + (count ?? 0);
    return total + (value.match(/\S+/g)?.length ?? 0);
  }, 0);
}

function patch({ before, after, names, context, ignoreWhitespace }: CompareInput): string {
  const options = { context, ignoreWhitespace };
  const text = createTwoFilesPatch(...names, before, after, undefined, undefined, options);
  return text.replace(/^=+\n/, "");
}

function marked(parts: readonly Part[]): string {
  return parts.map(({ added, removed, value }) =>
    added ? `{+${value}+}` : removed ? `[-${value}-]` : value
  ).join("");
}
