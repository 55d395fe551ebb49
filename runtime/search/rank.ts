/** Score of each item for the parts of a query. */

import type { Saying } from "./lexicon.ts";
import type { Posting, Postings } from "./postings.ts";
import type { Part } from "./query.ts";

/** One part, and how much it tells one item from another. */
export interface WeighedPart extends Part {
  readonly rarity: number;
}

/** Share of an item's score that depends on the matched part of its name. */
const NAME_SHARE = 0.25;
/** Factor for the rarity of a word that no item has: names of people and places, dates. */
const UNKNOWN = 0.3;
/** Several words of one saying say more than one does. */
const PHRASE_BONUS = 1.1;
/** Score of a full match before scaling to 1. */
const FULL = 0.85;

/** The parts with their rarity among so many items; a word that few items have tells more. */
export function weighParts(
  parts: readonly Part[],
  { frequency, total }: { frequency: ReadonlyMap<string, number>; total: number },
): WeighedPart[] {
  return parts.map((part) => {
    let count = 0;
    for (const { terms, weight } of part.sayings) {
      const rarest = Math.min(...terms.map((term) => frequency.get(term) ?? 0));
      count += rarest * weight * weight;
    }
    const among = Math.min(total, count);
    const rarity = Math.log(1 + (total - among + 0.5) / (among + 0.5));
    return { ...part, rarity: count === 0 ? rarity * UNKNOWN : rarity };
  });
}

/** A score for each item of a group, 0 where nothing fits. */
export function scoreItems(postings: Postings, parts: readonly WeighedPart[]): Float32Array {
  const count = postings.items.length;
  const sums = new Float32Array(count);
  const nameScores = new Float32Array(count);
  const best = new Float32Array(count);
  const bestNames = new Float32Array(count);
  const full = parts.reduce((sum, { rarity }) => sum + rarity, 0) || 1;
  for (const { sayings, rarity } of parts) {
    best.fill(0);
    bestNames.fill(0);
    for (const saying of sayings) applySaying(postings, saying, { best, bestNames });
    for (let at = 0; at < count; at++) {
      const value = best[at] ?? 0;
      if (value === 0) continue;
      sums[at] = (sums[at] ?? 0) + value * rarity;
      nameScores[at] = (nameScores[at] ?? 0) + (bestNames[at] ?? 0);
    }
  }
  for (let at = 0; at < count; at++) {
    const sum = sums[at] ?? 0;
    if (sum === 0) continue;
    const complete = Math.min(1, (nameScores[at] ?? 0) / (postings.nameLengths[at] ?? 1));
    sums[at] = Math.min(1, sum / full / FULL * (1 - NAME_SHARE + NAME_SHARE * complete));
  }
  return sums;
}

interface Best {
  readonly best: Float32Array;
  readonly bestNames: Float32Array;
}

function applySaying({ terms }: Postings, saying: Saying, best: Best): void {
  const [first, ...others] = saying.terms.map((term) => terms.get(term));
  if (!first) return;
  if (others.length === 0) applyTerm(first, saying.weight, best);
  else if (others.every((posting) => posting !== undefined)) {
    applyPhrase([first, ...others], saying.weight, best);
  }
}

function applyTerm(
  { items, weights, isName }: Posting,
  factor: number,
  { best, bestNames }: Best,
): void {
  for (let place = 0; place < items.length; place++) {
    const item = items[place] ?? 0;
    const value = (weights[place] ?? 0) * factor;
    if (value <= (best[item] ?? 0)) continue;
    best[item] = value;
    bestNames[item] = isName[place] ? factor : 0;
  }
}

/** Only items that have every word count. */
function applyPhrase(
  postings: readonly Posting[],
  factor: number,
  { best, bestNames }: Best,
): void {
  const scores = new Map<number, { words: number; sum: number; names: number }>();
  for (const [word, { items, weights, isName }] of postings.entries()) {
    for (let place = 0; place < items.length; place++) {
      const item = items[place] ?? 0;
      const so = scores.get(item) ?? { words: 0, sum: 0, names: 0 };
      if (so.words !== word) continue;
      so.words++;
      so.sum += weights[place] ?? 0;
      so.names += isName[place] ? 1 : 0;
      if (word === 0) scores.set(item, so);
    }
  }
  for (const [item, { words, sum, names }] of scores) {
    if (words !== postings.length) continue;
    const value = Math.min(1, sum / words * PHRASE_BONUS) * factor;
    if (value <= (best[item] ?? 0)) continue;
    best[item] = value;
    bestNames[item] = names * factor;
  }
}
