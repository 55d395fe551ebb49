/** Existing names similar to a misspelt word, nearest first. */

import Fuse from "fuse.js";

export interface Nearest {
  /** At most 30, nearest first. */
  readonly available: readonly string[];
  readonly total: number;
}

export interface SimilarName {
  readonly name: string;
  /** 0 to 1. */
  readonly likeness: number;
}

const MAX_LISTED = 30;
const MAX_LENGTH = 100;
/** Characters of the names that are compared with one word. */
const MAX_CHARACTERS = 20_000;
/** Likeness of a name that is worth suggesting. */
const NEAR = 0.6;
/** Likeness of a name that is listed before those that have nothing in common with the word. */
const RELATED = 0.4;

/** Orders `names` by likeness to `word`; names that contain it come first. */
export function nearest(word: string, names: readonly string[]): Nearest {
  const first = similarNames(word, { names, least: RELATED }).map(({ name }) => name);
  const available = new Set(first.slice(0, MAX_LISTED));
  for (const name of names) {
    if (available.size >= MAX_LISTED) break;
    available.add(name);
  }
  return { available: [...available], total: names.length };
}

/** Name to suggest for a misspelt one; undefined when no name is near enough. */
export function closest(word: string, names: Iterable<string>): string | undefined {
  const reach = reachOf(word);
  const candidates = [...names].filter((name) => Math.abs(name.length - word.length) <= reach);
  return similarNames(word, { names: candidates, least: NEAR })[0]?.name;
}

/** `news, search` or `news, search and 48 more of 50`. */
export function listed({ available, total }: Nearest): string {
  if (total === 0) return "none";
  const more = total - available.length;
  return available.join(", ") + (more > 0 ? ` and ${more} more of ${total}` : "");
}

export interface SimilarOptions {
  readonly names: readonly string[];
  /** Least likeness. */
  readonly least: number;
}

/** Names of at least the likeness `least`, most alike first; among equals, nearest length first. Of very
 * many names those that `likelyNames` keeps. */
export function similarNames(word: string, { names, least }: SimilarOptions): SimilarName[] {
  const target = plain(word);
  if (target === "") return [];
  const letters = lettersOf(target);
  const options = { threshold: 1 - least, ignoreLocation: true };
  const similar: (SimilarName & { readonly apart: number })[] = [];
  for (const name of likelyNames(target, { names, least })) {
    const text = plain(name);
    if (countBits(letters & ~lettersOf(text)) > (1 - least) * target.length) continue;
    const { isMatch, score } = Fuse.match(target, text, options);
    if (!isMatch) continue;
    const apart = Math.abs(text.length - target.length);
    const likeness = 1 - distanceOf(target, text, score);
    similar.push({ name, likeness, apart });
  }
  return similar.sort((a, b) => b.likeness - a.likeness || a.apart - b.apart)
    .map(({ name, likeness }) => ({ name, likeness }));
}

/** Names that may be of the likeness `least`, by their letters. Of those with over 20,000 characters in
 * all the likeliest, since fuse.js takes a microsecond and more for each: they contain the word in
 * lower case, or lack few of its letters and have few others. */
export function likelyNames(word: string, { names, least }: SimilarOptions): readonly string[] {
  const letters = lettersOf(word);
  const likely: string[] = [];
  const byDistance: string[][] = [];
  let characters = 0;
  for (const name of names) {
    const text = name.toLowerCase();
    const own = lettersOf(text);
    const missing = countBits(letters & ~own);
    if (missing > (1 - least) * word.length) continue;
    const distance = text.includes(word) ? 0 : 2 * missing + countBits(own & ~letters);
    (byDistance[distance] ??= []).push(name);
    likely.push(name);
    characters += name.length;
  }
  if (characters <= MAX_CHARACTERS) return likely;
  characters = 0;
  return byDistance.flat().filter((name) => (characters += name.length) <= MAX_CHARACTERS);
}

/** Distance in both directions: fuse.js alone ignores the rest of a text that contains the word. */
function distanceOf(word: string, text: string, forward: number): number {
  const { score: backward } = Fuse.match(text, word, { threshold: 1, ignoreLocation: true });
  const isPart = Math.abs(word.length - text.length) > reachOf(word);
  return isPart ? (forward + backward) / 2 : Math.max(forward, backward);
}

/** Most letters by which a misspelt word may differ in length from the name. */
function reachOf(word: string): number {
  return word.length < 3 ? 1 : Math.max(2, Math.floor(word.length / 3));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "").slice(0, MAX_LENGTH);
}

/** Letters of a word, as a set of bits. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function countBits(value: number): number {
  let count = 0;
  for (let rest = value; rest !== 0; rest &= rest - 1) count++;
  return count;
}
