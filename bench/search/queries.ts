/** The queries of the search benchmark, with the tools that are right for each. */

export type Half = "tuning" | "held out" | "later";

export interface Query {
  readonly kind: string;
  readonly text: string;
  /** `github.create_issue`. */
  readonly tools: readonly string[];
  /** Held out: never read one by one during work on the search. */
  readonly half: Half;
}

/** Kind whose queries need every right tool, not any one of them. */
export const ALL_WANTED = "cross-server";

/** Kind that was written after the search. */
const LATER = "later";

/** Reads `queries.txt`, or the queries that were written before any result was seen. */
export async function readQueries(name: "queries" | "blind" = "queries"): Promise<Query[]> {
  const text = await Deno.readTextFile(new URL(`${name}.txt`, import.meta.url));
  const queries: Query[] = [];
  let kind = "";
  let place = 0;
  for (const line of text.split("\n")) {
    const heading = /^\[(.+)\]$/.exec(line)?.[1];
    if (heading !== undefined) [kind, place] = [heading, 0];
    const [, query, tools] = /^([^#[].*) => (.*)$/.exec(line) ?? [];
    if (query === undefined || tools === undefined) continue;
    const half = kind === LATER ? "later" : place++ % 2 === 0 ? "tuning" : "held out";
    queries.push({ kind, text: query, tools: tools.split(", "), half });
  }
  return queries;
}
