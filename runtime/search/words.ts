/** Text as the words that are compared: split, lower case, without accents, stemmed. */

import { stemmer } from "stemmer";
import { inPieces } from "#base";

const MAX_WORD = 40;
const MAX_STEMS = 50_000;
/** Characters of a query that are read. */
const MAX_QUERY = 300;

/** Words without meaning for a search. */
const EMPTY_WORDS = new Set(
  ("a an the this that these those some any each every all it its i me my mine we us our you your " +
    "he she they them their his her of to in into for from with without on at by as is are was " +
    "were be been being am do does did done has have had having can could should would will may " +
    "might must shall and or but if then than so such what which who whom whose how why when where " +
    "there here about please want need like just only also very really currently specific given " +
    "using use used via based tool tools thing things something anything everything up out off " +
    "down over while during it's im i'm let lets").split(" "),
);

/** Returns true for a word without meaning for a search. */
export function isEmptyWord(word: string): boolean {
  return EMPTY_WORDS.has(word);
}

/** The part of a query that is read; a caller may give any length. */
export function shortQuery(query: string): string {
  return query.slice(0, MAX_QUERY);
}

/** The words of a text; `createIssue` is one word. */
export function wordsOf(text: string): string[] {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return pick(text.replaceAll("'", ""), /[a-z0-9]+/g);
  const parted = inPieces(text, (piece) => piece.normalize("NFKD"));
  const plain = parted.replaceAll(/\p{M}+|(?<=\p{L})['’](?=\p{L})/gu, "");
  return pick(plain, /[\p{L}\p{N}]+/gu);
}

function pick(text: string, words: RegExp): string[] {
  return (text.toLowerCase().match(words) ?? [])
    .map((word) => word.length > MAX_WORD ? word.slice(0, MAX_WORD) : word);
}

/** The words of a name: `createIssue`, `create_issue` and `create-issue` are two. */
export function nameWords(name: string): string[] {
  return wordsOf(
    name.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
      .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2"),
  );
}

export type Stem = (word: string) => string;

/** Creates a function that returns the stem of a word, with a cache. */
export function createStem(): Stem {
  const stems = new Map<string, string>();
  return (word) => {
    const stem = stems.get(word);
    if (stem !== undefined) return stem;
    const result = /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
    if (stems.size >= MAX_STEMS) stems.clear();
    stems.set(word, result);
    return result;
  };
}
