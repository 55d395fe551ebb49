/** Index of one group of items: the places of each word, with weights. */

import type { Turn } from "#base";
import type { SearchItem } from "./types.ts";
import { isEmptyWord, nameWords, type Stem, wordsOf } from "./words.ts";

/** Places of a term. The three lists have one entry for each item. */
export interface Posting {
  readonly items: number[];
  /** Weight of the term in the item, 0 to 1. */
  readonly weights: number[];
  /** True for a word of the item's own name. */
  readonly isName: boolean[];
}

export interface Postings {
  readonly items: readonly SearchItem[];
  readonly terms: ReadonlyMap<string, Posting>;
  /** Items by each of their spellings. */
  readonly spellings: ReadonlyMap<string, readonly number[]>;
  /** Number of words in each item's own name. */
  readonly nameLengths: readonly number[];
}

/** Weights of a word by its place. */
const NAME = 3;
const GROUP = 1.2;
const FIRST = 1.1;
const REST = 0.3;
const PARAMETER = 0.45;
const HINT = 0.3;
const INITIALS = 2;
/** Half of a full weight. */
const HALF = 0.9;

const MAX_FIRST = 260;
const MAX_TEXT = 1_200;
const MAX_PARAMETERS = 40;
const MAX_HINTS = 40;
const MAX_HINT = 500;
const MAX_NAME = 200;
const SHORT_INITIALS = 3;
const LONG_INITIALS = 6;

/** Marks initials, so that they are no words. */
export const INITIALS_MARK = "@";

export interface PostingsOptions {
  /** Name of the pack that all items belong to. */
  readonly context: string;
  readonly stem: Stem;
  readonly turn: Turn;
}

/** Reads every item; yields to the event loop between pieces. */
export async function buildPostings(
  source: Iterable<SearchItem>,
  { context: belongsTo, stem, turn }: PostingsOptions,
): Promise<Postings> {
  const items: SearchItem[] = [];
  const terms = new Map<string, Posting>();
  const spellings = new Map<string, number[]>();
  const nameLengths: number[] = [];
  const context = new Set(nameWords(belongsTo).map(stem));
  for (const item of source) {
    const at = items.push(item) - 1;
    await turn();
    for (const spelling of new Set(item.spellings)) {
      spellings.set(spelling, [...spellings.get(spelling) ?? [], at]);
    }
    const names = new Set(nameWords(item.own.slice(0, MAX_NAME)).map(stem));
    nameLengths.push([...names].filter((name) => !context.has(name)).length || 1);
    for (const [term, weight] of weigh(item, { names, context, stem })) {
      const posting = terms.get(term) ?? { items: [], weights: [], isName: [] };
      posting.items.push(at);
      posting.weights.push(weight / (weight + HALF));
      posting.isName.push(names.has(term) && !context.has(term));
      terms.set(term, posting);
    }
  }
  return { items, terms, spellings, nameLengths };
}

function weigh(
  item: SearchItem,
  { names, context, stem }: {
    readonly names: ReadonlySet<string>;
    readonly context: ReadonlySet<string>;
    readonly stem: Stem;
  },
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const add = (words: Iterable<string>, weight: number) => {
    for (const word of new Set(words)) weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  const read = (text: string) => wordsOf(text).filter((word) => !isEmptyWord(word)).map(stem);

  add(names, NAME);
  add(context, GROUP);
  const { first, rest } = parted(item.text);
  const opening = new Set(read(first));
  add(opening, FIRST);
  add(read(rest).filter((word) => !opening.has(word)), REST);
  const parameters = item.parameters.slice(0, MAX_PARAMETERS)
    .flatMap((name) => nameWords(name.slice(0, MAX_NAME))).map(stem);
  add(parameters.filter((word) => !opening.has(word)), PARAMETER);
  const hints = (item.hints ?? []).slice(0, MAX_HINTS).flatMap((hint) =>
    read(nameWords(hint.slice(0, MAX_HINT)).join(" "))
  );
  add(hints.filter((word) => !opening.has(word)), HINT);
  add(initialsOf(nameWords(item.own.slice(0, MAX_NAME))), INITIALS);
  return weights;
}

/** The first sentence, and as much of what follows as counts. */
function parted(text: string): { first: string; rest: string } {
  const trimmed = text.slice(0, MAX_TEXT).trimStart();
  const end = /[.!?](?=\s)|\n/.exec(trimmed)?.index ?? trimmed.length;
  const length = Math.min(end, MAX_FIRST);
  return { first: trimmed.slice(0, length), rest: trimmed.slice(length) };
}

/** `@gpr` and the like, of three words on. */
function initialsOf(words: readonly string[]): string[] {
  const letters = words.map(([letter = ""]) => letter).join("");
  const beginnings: string[] = [];
  for (let from = 0; from <= letters.length - SHORT_INITIALS; from++) {
    for (let length = SHORT_INITIALS; length <= LONG_INITIALS; length++) {
      if (from + length > letters.length) break;
      beginnings.push(INITIALS_MARK + letters.slice(from, from + length));
    }
  }
  return beginnings;
}
