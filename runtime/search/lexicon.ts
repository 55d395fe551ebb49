/** Synonyms of words and phrases. */

import type { Turn } from "#base";
import { type Stem, wordsOf } from "./words.ts";

/** One synonym: stems that must all match. */
export interface Saying {
  readonly terms: readonly string[];
  /** Weight of the synonym, 0 to 1. */
  readonly weight: number;
}

export interface Lexicon {
  /** The most words that a phrase has. */
  readonly longest: number;
  /** Synonyms of a word or of a phrase of stems, joined by blanks. */
  of(phrase: string): readonly Saying[];
  has(phrase: string): boolean;
}

const SAME_WEIGHT = 0.9;
const VERB_WEIGHT = 0.6;
const NOUN_WEIGHT = 0.65;
const MEANING_WEIGHT = 0.6;
/** Weight of each of the table's nine steps of similarity. */
const RELATED_STEP = 0.055;

/** Words of a field for the things and actions of tools: groups of words and phrases, each group
 * one text. */
export interface Trade {
  /** Names of the same thing. */
  readonly same: readonly string[];
  /** Groups of similar actions. */
  readonly verbs: readonly string[];
  /** Things that are alike. */
  readonly nouns: readonly string[];
  /** `a > b, c`: who says `a` may mean `b` or `c`, not the other way round. */
  readonly meanings: readonly string[];
}

export interface LexiconSources {
  /** Of the trade: made by hand. */
  readonly trade: Trade;
  /** Common English words that mean about the same: `{ boss: "3manag 3supervisor" }`. */
  readonly related: Readonly<Record<string, string>>;
  readonly stem: Stem;
  readonly turn: Turn;
}

/** Builds the lexicon of the trade's words and of common English ones. */
export async function createLexicon(
  { trade, related, stem, turn }: LexiconSources,
): Promise<Lexicon> {
  const linked = new Map<string, Map<string, number>>();
  let longest = 1;

  function phraseOf(text: string): string {
    return wordsOf(text).map(stem).join(" ");
  }
  function link(from: string, to: string, weight: number): void {
    if (from === to) return;
    longest = Math.max(longest, from.split(" ").length);
    const links = linked.get(from) ?? new Map<string, number>();
    links.set(to, Math.max(links.get(to) ?? 0, weight));
    linked.set(from, links);
  }
  function group(line: string, weight: number): void {
    const phrases = line.split(",").map(phraseOf);
    for (const from of phrases) for (const to of phrases) link(from, to, weight);
  }

  async function groups(lines: readonly string[], weight: number): Promise<void> {
    for (const line of lines) {
      await turn();
      group(line, weight);
    }
  }

  await groups(trade.same, SAME_WEIGHT);
  await groups(trade.verbs, VERB_WEIGHT);
  await groups(trade.nouns, NOUN_WEIGHT);
  for (const line of trade.meanings) {
    const [from = "", to = ""] = line.split(" > ");
    for (const phrase of to.split(",")) link(phraseOf(from), phraseOf(phrase), MEANING_WEIGHT);
  }

  return {
    longest,
    has: (phrase) => linked.has(phrase) || Object.hasOwn(related, phrase),
    of(phrase) {
      const sayings = new Map(linked.get(phrase));
      const near = Object.hasOwn(related, phrase) ? related[phrase] ?? "" : "";
      for (const [, step = "", term = ""] of near.matchAll(/(\d)(\S+)/g)) {
        const weight = Number(step) * RELATED_STEP;
        sayings.set(term, Math.max(sayings.get(term) ?? 0, weight));
      }
      return [...sayings].map(([text, weight]) => ({ terms: text.split(" "), weight }));
    },
  };
}
