/** Parts of a query: one for each word or phrase, with its synonyms. */

import type { Lexicon, Saying } from "./lexicon.ts";
import { INITIALS_MARK } from "./postings.ts";
import { isEmptyWord, nameWords, shortQuery, type Stem, wordsOf } from "./words.ts";
import type { Turn } from "#base";
import { likelyNames, similarNames } from "#packs/nearest";

/** One part of a query. */
export interface Part {
  readonly sayings: readonly Saying[];
}

export interface QueryWords {
  readonly lexicon: Lexicon;
  readonly stem: Stem;
  /** Number of items that contain a term. */
  readonly frequency: ReadonlyMap<string, number>;
  readonly turn: Turn;
}

/** Words that may stand within a phrase: `out of the office`. */
const ARTICLES = new Set("a an the my our your his her its their this that these those".split(" "));
const MAX_WORDS = 16;
const INITIALS_WEIGHT = 0.8;
const JOINED_WEIGHT = 0.9;
/** Weight of the remaining words of a phrase without its empty words. */
const REST_OF_PHRASE = 0.4;
const MISSPELT_WEIGHT = 0.9;

/** Reads a query into its parts. */
export async function readQuery(query: string, words: QueryWords): Promise<Part[]> {
  const { lexicon, stem, frequency } = words;
  const written = typedWords(shortQuery(query), words);
  const content = written.filter((word) => !ARTICLES.has(word));
  const queryWords = (content.length > 0 ? content : written).slice(0, MAX_WORDS);
  const stems = queryWords.map(stem);
  const parts: Part[] = [];
  for (let at = 0; at < stems.length;) {
    const length = phraseLength(stems, at, lexicon);
    if (length === 0) {
      const word = queryWords[at++] ?? "";
      if (isEmptyWord(word)) continue;
      parts.push({ sayings: await sayingsOf(word, words) });
      continue;
    }
    parts.push({ sayings: phraseSayings(stems.slice(at, at + length), lexicon) });
    at += length;
  }
  if (parts.length === 0) {
    // A query of empty words only searches for these words.
    return stems.filter((term) => frequency.has(term)).map((term) => ({
      sayings: [{ terms: [term], weight: 1 }],
    }));
  }
  return withJoined(distinct(parts), queryWords, words);
}

/** A phrase as it stands, and what it may be called; `in` of `log in` is not looked for. */
function phraseSayings(phrase: readonly string[], lexicon: Lexicon): Saying[] {
  const terms = phrase.filter((term) => !isEmptyWord(term));
  const own = { terms, weight: terms.length === phrase.length ? 1 : REST_OF_PHRASE };
  return [...(terms.length > 0 ? [own] : []), ...lexicon.of(phrase.join(" "))];
}

/** Drops synonyms that are query words themselves. */
function distinct(parts: readonly Part[]): Part[] {
  const own = parts.map(({ sayings: [first] }) => first?.terms ?? []);
  return parts.map(({ sayings }, at) => {
    const others = new Set(own.filter((_, other) => other !== at).flat());
    return {
      sayings: sayings.filter(({ terms }, place) =>
        place === 0 || !terms.every((term) => others.has(term))
      ),
    };
  });
}

/** The words as typed. A name in camelCase is split unless it is indexed as one word. */
function typedWords(query: string, { frequency, stem }: QueryWords): string[] {
  return query.split(/\s+/).flatMap((piece) => {
    const whole = wordsOf(piece);
    if (whole.every((word) => frequency.has(stem(word)))) return whole;
    return nameWords(piece);
  });
}

/** Counts the words from here on that form a phrase of the lexicon; a single word is not a
 * phrase. */
function phraseLength(stems: readonly string[], at: number, lexicon: Lexicon): number {
  for (let length = lexicon.longest; length > 1; length--) {
    if (at + length > stems.length) continue;
    if (lexicon.has(stems.slice(at, at + length).join(" "))) return length;
  }
  return 0;
}

async function sayingsOf(word: string, words: QueryWords): Promise<Saying[]> {
  const { lexicon, stem, frequency } = words;
  const term = stem(word);
  const sayings: Saying[] = [{ terms: [term], weight: 1 }, ...lexicon.of(term)];
  if (/^[a-z]{3,6}$/.test(word) && frequency.has(INITIALS_MARK + word)) {
    const isIndexed = frequency.has(term) || lexicon.has(term);
    if (!isIndexed) sayings.push({ terms: [INITIALS_MARK + word], weight: INITIALS_WEIGHT });
  }
  if (frequency.has(term) || sayings.some(({ terms }) => terms.every((t) => frequency.has(t)))) {
    return sayings;
  }
  const halves = splitWord(term, frequency);
  if (halves) return [...sayings, { terms: halves, weight: JOINED_WEIGHT }];
  for (const { term: near, likeness } of await spelledLike(term, words)) {
    const weight = likeness * MISSPELT_WEIGHT;
    sayings.push({ terms: [near], weight });
    for (const saying of lexicon.of(near)) {
      sayings.push({ terms: saying.terms, weight: saying.weight * weight });
    }
  }
  return sayings;
}

/** `nodepool` as `node pool`. */
function splitWord(term: string, terms: ReadonlyMap<string, number>): string[] | undefined {
  for (let at = 3; at <= term.length - 3; at++) {
    const halves = [term.slice(0, at), term.slice(at)];
    if (halves.every((half) => terms.has(half))) return halves;
  }
  return undefined;
}

/** Adds the compounds of neighboring words to the parts: `heapsnapshot`, `lb`. */
function withJoined(
  parts: readonly Part[],
  queryWords: readonly string[],
  { stem, frequency }: QueryWords,
): Part[] {
  const extra: Part[] = parts.map(({ sayings }) => ({ sayings }));
  const content = queryWords.filter((word) => !isEmptyWord(word));
  if (content.length !== parts.length) return extra;
  const add = (from: number, length: number, saying: Saying) => {
    for (let at = from; at < from + length; at++) {
      const part = extra[at];
      if (part) extra[at] = { sayings: [...part.sayings, saying] };
    }
  };
  for (let at = 0; at < content.length - 1; at++) {
    const joined = stem(`${content[at]}${content[at + 1]}`);
    if (frequency.has(joined)) add(at, 2, { terms: [joined], weight: JOINED_WEIGHT });
    for (const length of [2, 3, 4]) {
      if (at + length > content.length) break;
      const initials = content.slice(at, at + length).map(([letter = ""]) => letter).join("");
      if (frequency.has(initials)) add(at, length, { terms: [initials], weight: 0.6 });
    }
  }
  return extra;
}

interface Spelled {
  readonly term: string;
  /** 0 to 1. */
  readonly likeness: number;
}

const MOST = 4;
const SHORTEST = 3;
/** Minimum likeness of a word that may have been meant. */
const NEAR = 0.6;
/** A wrong first letter is rare. */
const OTHER_FIRST = 0.8;

/** Words that are looked at, and that are compared, in one piece. */
const LOOKED_AT = 1_000;
const COMPARED = 200;
/** Collected words after which the best are kept: `likelyNames` keeps fewer, whatever their length. */
const MANY = 10_000;

/** Known words that differ in few letters, or that begin with the word; the most alike first. */
async function spelledLike(word: string, { frequency, turn }: QueryWords): Promise<Spelled[]> {
  if (word.length < SHORTEST) return [];
  const reach = word.length <= 5 ? 1 : 2;
  let spelled: Spelled[] = [];
  let names: string[] = [];
  const letters = lettersOf(word);
  let looked = 0;
  for (const term of frequency.keys()) {
    if (++looked % LOOKED_AT === 0) await turn();
    if (spelled.length === MANY) spelled = mostAlike(spelled);
    if (names.length === MANY) names = [...likelyNames(word, { names, least: NEAR })];
    const longer = term.length - word.length;
    if (longer > 0 && term.startsWith(word)) {
      spelled.push({ term, likeness: 0.6 + 0.3 * word.length / term.length });
    } else if (Math.abs(longer) <= reach && term.length >= SHORTEST) {
      if (otherLetters(letters, lettersOf(term)) <= reach) names.push(term);
    }
  }
  const likely = likelyNames(word, { names, least: NEAR });
  for (let at = 0; at < likely.length; at += COMPARED) {
    const piece = likely.slice(at, at + COMPARED);
    for (const { name: term, likeness } of similarNames(word, { names: piece, least: NEAR })) {
      spelled.push({ term, likeness: likeness * (term[0] === word[0] ? 1 : OTHER_FIRST) });
    }
    await turn();
  }
  return mostAlike(spelled);
}

function mostAlike(spelled: readonly Spelled[]): Spelled[] {
  return spelled.toSorted((a, b) => b.likeness - a.likeness).slice(0, MOST);
}

/** Set of the letters in a word, one bit each. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/** Number of letters in one set that the other lacks. */
function otherLetters(one: number, other: number): number {
  let count = 0;
  for (let left = one & ~other; left !== 0; left &= left - 1) count++;
  return count;
}
