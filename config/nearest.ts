/** The known word that somebody probably meant. */

import { distance } from "fastest-levenshtein";

/** The nearest of `known` to `word`, or undefined when none is near enough to suggest. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  // Two letters that changed places count as two.
  const limit = word.length < 3 ? 1 : Math.max(2, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const apart = distance(word.toLowerCase(), candidate.toLowerCase());
    if (apart < bestDistance) [best, bestDistance] = [candidate, apart];
  }
  return best;
}
