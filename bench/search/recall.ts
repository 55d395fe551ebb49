/** How many of the right tools a search finds. */

import { ALL_WANTED, type Query } from "./queries.ts";

/** The names of what a search finds, best first. */
export type Search = (query: string, limit: number) => Promise<readonly string[]>;

/** The places that count. */
export const PLACES = [1, 5, 10] as const;

/** For each place, the share of queries that are answered by then, 0 to 1. */
export type Recall = readonly number[];

/** Asks each query once. */
export async function measureRecall(search: Search, queries: readonly Query[]): Promise<Recall> {
  const sums = PLACES.map(() => 0);
  for (const query of queries) {
    const found = await search(query.text, Math.max(...PLACES));
    PLACES.forEach((place, at) => {
      sums[at] = (sums[at] ?? 0) + recallOf(query, found.slice(0, place), place);
    });
  }
  return sums.map((sum) => sum / Math.max(1, queries.length));
}

/** Any right tool will do; across servers, each that has room is wanted. */
function recallOf({ kind, tools }: Query, found: readonly string[], place: number): number {
  const right = tools.filter((tool) => found.includes(tool)).length;
  if (kind !== ALL_WANTED) return Math.min(1, right);
  return right / Math.min(tools.length, place);
}
