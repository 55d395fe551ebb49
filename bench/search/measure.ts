/** Recall and speed of the search, beside plain libraries. */

import { repeat, summarize, time } from "../measure.ts";
import type { Row } from "../table.ts";
import { type Query, readQueries } from "./queries.ts";
import { measureRecall, PLACES, type Search } from "./recall.ts";
import { benchTools, fuseSearch, miniSearch, ourSearch } from "./searches.ts";

const AMOUNTS = [1_000, 2_000, 10_000];
const LIMIT = 10;

/** Recall by kind of query, by half, and of plain libraries; then times. */
export async function measureSearch(): Promise<Row[]> {
  const queries = await readQueries();
  const entries = await benchTools();
  const ours = ourSearch(entries);
  const kinds = Map.groupBy(queries, ({ kind }) => kind);
  const halves = Map.groupBy(queries.filter(({ half }) => half !== "later"), ({ half }) => half);
  const rows = [...await recallRows("all", ours, queries)];
  for (const [kind, of] of kinds) rows.push(...await recallRows(kind, ours, of));
  for (const [half, of] of halves) rows.push(...await recallRows(half, ours, of));
  rows.push(...await recallRows("minisearch alone", miniSearch(entries), queries));
  rows.push(...await recallRows("fuse.js alone", fuseSearch(entries), queries));
  rows.push(...await blindRows(ours, miniSearch(entries)));
  for (const count of AMOUNTS) rows.push(...await measureTimes(count, queries));
  return rows;
}

/** Recall of the queries that were written before any result was seen, by half and kind. */
async function blindRows(ours: Search, plain: Search): Promise<Row[]> {
  const queries = await readQueries("blind");
  const rows: Row[] = [];
  for (const [half, of] of Map.groupBy(queries, (query) => query.half)) {
    rows.push(...await recallRows(`blind, ${half}`, ours, of));
    for (const [kind, some] of Map.groupBy(of, (query) => query.kind)) {
      rows.push(...await recallRows(`blind, ${half}, ${kind}`, ours, some));
    }
    rows.push(...await recallRows(`blind, ${half}, minisearch alone`, plain, of));
  }
  return rows;
}

async function recallRows(
  what: string,
  search: Search,
  queries: readonly Query[],
): Promise<Row[]> {
  const recall = await measureRecall(search, queries);
  return recall.map((share, at): Row => {
    const value = { runs: 1, min: share, median: share, p95: share };
    return { what: `${what} (${queries.length}), found at ${PLACES[at]}`, unit: "share", ...value };
  });
}

async function measureTimes(count: number, queries: readonly Query[]): Promise<Row[]> {
  const what = `${count.toLocaleString("en")} tools`;
  const search = ourSearch(await benchTools(count));
  const block = watchLoop();
  const first = await time(() => search("first", LIMIT));
  const blocked = block();
  const times = await repeat((turn) => {
    const query = queries[turn % queries.length];
    return time(() => search(query?.text ?? "", LIMIT));
  }, { runs: queries.length });
  return [
    { what: `${what}, a query`, unit: "ms", ...summarize(times) },
    { what: `${what}, the first query`, unit: "ms", ...summarize([first]) },
    { what: `  of it without a breath`, unit: "ms", ...summarize(blocked) },
  ];
}

/** Records the length of each turn of the event loop, until the returned function is called. */
function watchLoop(): () => readonly number[] {
  const turns: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    turns.push(now - last);
    last = now;
  }, 0);
  return () => {
    clearInterval(timer);
    return [...turns, performance.now() - last];
  };
}
