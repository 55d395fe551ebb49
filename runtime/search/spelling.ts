/** Finds indexed words that a misspelled or shortened word may mean. */

import { similarNames } from "#packs/nearest";

export interface Spelled {
  readonly term: string;
  /** 0 to 1. */
  readonly likeness: number;
}

const MOST = 4;
const SHORTEST = 3;
/** Least similarity of a word that is taken as meant. */
const NEAR = 0.6;
/** A wrong first letter is rare. */
const OTHER_FIRST = 0.8;

/** Known words that differ in few letters, or that begin with the word; the most alike first. */
export function spelledLike(word: string, terms: Iterable<string>): Spelled[] {
  if (word.length < SHORTEST) return [];
  const reach = word.length <= 5 ? 1 : 2;
  const begun: Spelled[] = [];
  const names: string[] = [];
  for (const term of terms) {
    const longer = term.length - word.length;
    if (longer > 0 && term.startsWith(word)) {
      begun.push({ term, likeness: 0.6 + 0.3 * word.length / term.length });
    } else if (Math.abs(longer) <= reach && term.length >= SHORTEST) names.push(term);
  }
  const similar = similarNames(word, { names, least: NEAR }).map(({ name, likeness }) => ({
    term: name,
    likeness: likeness * (name[0] === word[0] ? 1 : OTHER_FIRST),
  }));
  return [...begun, ...similar].sort((a, b) => b.likeness - a.likeness).slice(0, MOST);
}
