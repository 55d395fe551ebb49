/** Share of the right tools that a search finds. */

import { ALL_WANTED, type Query } from "./queries.ts";

/** Names of the tools that a search finds, best first. */
export type Search = (query: string, limit: number) => Promise<readonly string[]>;

/** Ranks up to which matches count. */
export const PLACES = [1, 5, 10] as const;

/** For each rank, the share of queries that are answered up to it, 0 to 1. */
export type Recall = readonly number[];

/** Sends each query once. */
export async function measureRecall(search: Search, queries: readonly Query[]): Promise<Recall> {
  const sums = PLACES.map(() => 0);
  for (const query of queries) {
    const names = await search(query.text, Math.max(...PLACES));
    PLACES.forEach((place, at) => {
      sums[at] = (sums[at] ?? 0) + recallOf(query, names.slice(0, place), place);
    });
  }
  return sums.map((sum) => sum / Math.max(1, queries.length));
}

/** Share of a query that is answered: by any right tool; across servers, by as many as fit. */
function recallOf({ kind, tools }: Query, names: readonly string[], place: number): number {
  const right = tools.filter((tool) => names.includes(tool)).length;
  if (kind !== ALL_WANTED) return Math.min(1, right);
  return right / Math.min(tools.length, place);
}
