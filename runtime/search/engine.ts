/** Search over everything that has a name: exact words, other words for the same, misspelt words.
 *
 * A group is indexed once and again only when it has changed; nothing holds the event loop for more
 * than a few milliseconds, however many tools there are.
 */

import { setImmediate } from "node:timers/promises";
import { createLexicon, type Lexicon } from "./lexicon.ts";
import { buildPostings, type Postings } from "./postings.ts";
import { readQuery } from "./query.ts";
import { scoreItems, weighParts } from "./rank.ts";
import type { SearchGroup, SearchHit } from "./types.ts";
import { createStem, type Stem } from "./words.ts";

export interface SearchEngine {
  /** What fits a query, best first; equals stay in the order of the groups. */
  find(query: string, options: FindOptions): Promise<readonly SearchHit[]>;
}

export interface FindOptions {
  /** What there is, as it is now. */
  readonly groups: readonly SearchGroup[];
  readonly limit: number;
}

/** Less likeness than this is chance. */
const LEAST = 0.12;
/** What is only like the query is no more than this. */
const LIKE = 0.99;
/** Items that are scored between two breaths. */
const PIECE = 2_000;

interface Indexed {
  readonly name: string;
  readonly version: unknown;
  readonly postings: Postings;
}

/** Makes an engine, which remembers the index of each group. */
export function createSearchEngine(): SearchEngine {
  const stem = createStem();
  let lexicon: Promise<Lexicon> | undefined;
  let index: readonly Indexed[] = [];
  let frequency: ReadonlyMap<string, number> = new Map();
  let updating: Promise<unknown> = Promise.resolve();

  async function update(groups: readonly SearchGroup[]): Promise<void> {
    const known = new Map(index.map((group) => [group.name, group]));
    const isSame = groups.length === index.length && groups.every(({ name, version }, at) => {
      return index[at]?.name === name && index[at]?.version === version;
    });
    if (isSame) return;
    const next: Indexed[] = [];
    for (const { name, context, version, items } of groups) {
      const old = known.get(name);
      if (old && old.version === version) {
        next.push(old);
        continue;
      }
      const options = { context, stem, breathe: setImmediate };
      next.push({ name, version, postings: await buildPostings(items(), options) });
    }
    frequency = await countTerms(next);
    index = next;
  }

  return {
    async find(query, { groups, limit }) {
      const updated = updating.then(() => update(groups));
      updating = updated.catch(() => {});
      await updated;
      const words = { lexicon: await (lexicon ??= loadLexicon(stem)), stem, frequency };
      const searched = index;
      const total = searched.reduce((sum, { postings }) => sum + postings.items.length, 0);
      const parts = weighParts(readQuery(query, words), { frequency, total });
      const hits: SearchHit[] = [];
      let sinceBreath = 0;
      for (const { postings } of searched) {
        collect(postings, { scores: scoreItems(postings, parts), query, hits });
        sinceBreath += postings.items.length;
        if (sinceBreath < PIECE) continue;
        sinceBreath = 0;
        await setImmediate();
      }
      return hits.sort((a, b) => b.score - a.score).slice(0, limit);
    },
  };
}

/** Adds what scores enough; what is spelled like the query is the thing itself. */
function collect(
  postings: Postings,
  { scores, query, hits }: {
    readonly scores: Float32Array;
    readonly query: string;
    readonly hits: SearchHit[];
  },
): void {
  for (const at of postings.spellings.get(query.trim().toLowerCase()) ?? []) scores[at] = 2;
  scores.forEach((score, at) => {
    const item = postings.items[at];
    if (!item || score < LEAST) return;
    hits.push({ ...item, score: score > 1 ? 1 : Math.min(score, LIKE) });
  });
}

/** In how many items of all groups each term stands. */
async function countTerms(index: readonly Indexed[]): Promise<ReadonlyMap<string, number>> {
  const frequency = new Map<string, number>();
  for (const { postings } of index) {
    for (const [term, { items }] of postings.terms) {
      frequency.set(term, (frequency.get(term) ?? 0) + items.length);
    }
    await setImmediate();
  }
  return frequency;
}

/** The tables of words are read when the first query comes. */
async function loadLexicon(stem: Stem): Promise<Lexicon> {
  const [{ default: trade }, { default: related }] = await Promise.all([
    import("./trade.json", { with: { type: "json" } }),
    import("./related.json", { with: { type: "json" } }),
  ]);
  return createLexicon({ trade, related }, stem);
}
