/** What the caller may have meant: the names that exist, nearest first. */

import { distance } from "fastest-levenshtein";

const MAX_LISTED = 30;

export interface Nearest {
  /** At most 30, nearest first. */
  readonly available: readonly string[];
  readonly total: number;
}

/** Orders `names` by how near they are to `wanted`: a shared part counts more than letters. */
export function nearest(wanted: string, names: readonly string[]): Nearest {
  const target = plain(wanted);
  const scored = names.map((name) => ({ name, score: score(target, plain(name)) }));
  scored.sort((a, b) => a.score - b.score);
  return {
    available: scored.slice(0, MAX_LISTED).map((item) => item.name),
    total: names.length,
  };
}

/** The known word that somebody probably meant, or undefined when none is near enough to suggest. */
export function closest(word: string, known: Iterable<string>): string | undefined {
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

/** `news, search` or `news, search and 48 more`. */
export function listed({ available, total }: Nearest): string {
  if (total === 0) return "none";
  const more = total - available.length;
  return available.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function score(target: string, name: string): number {
  const edits = distance(target.slice(0, 100), name.slice(0, 100));
  const contains = name.includes(target) || target.includes(name);
  return contains ? edits / 4 : edits;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
