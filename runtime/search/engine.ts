/** Search over everything that has a name: exact words, other words for the same, misspelt words.
 *
 * A group is indexed once, and again only after a change; nothing holds the event loop for more
 * than a few milliseconds, however many tools there are.
 */

import { setImmediate } from "node:timers/promises";
import { createQueue, createTurns, type Turn } from "#base";
import { createLexicon, type Lexicon } from "./lexicon.ts";
import { buildPostings, type Postings } from "./postings.ts";
import { readQuery } from "./query.ts";
import { scoreItems, weighParts } from "./rank.ts";
import type { SearchGroup, SearchHit, SearchItem } from "./types.ts";
import { createStem, type Stem } from "./words.ts";

export interface SearchEngine {
  /** Finds the items that match a query, best first; equal scores keep the order of the groups. */
  find(query: string, options: FindOptions): Promise<readonly SearchHit[]>;
}

export interface FindOptions {
  /** Current groups of items. */
  readonly groups: readonly SearchGroup[];
  readonly limit: number;
  /** Tools, `github.create_issue`, that were called after such queries, with how surely, 0 to 1. */
  readonly favored?: ReadonlyMap<string, number>;
}

/** Minimum score: less likeness is chance. */
const LEAST = 0.12;
/** Highest score of an item that does not match exactly. */
const LIKE = 0.99;
/** Score added to a tool that is certainly meant. */
const FAVOR = 0.6;
/** Power to which a score is raised: an item that matches half of a query then scores far below one
 * that matches all of it. */
const STEEPNESS = 1.8;

interface Indexed {
  readonly name: string;
  readonly version: unknown;
  readonly postings: Postings;
}

/** Creates an engine that caches the index of each group. */
export function createSearchEngine(): SearchEngine {
  const stem = createStem();
  let lexicon: Promise<Lexicon> | undefined;
  let index: readonly Indexed[] = [];
  let frequency: ReadonlyMap<string, number> = new Map();
  const queue = createQueue();

  async function update(groups: readonly SearchGroup[], turn: Turn): Promise<void> {
    const earlier = new Map(index.map((group) => [group.name, group]));
    const isSame = groups.length === index.length && groups.every(({ name, version }, at) => {
      return index[at]?.name === name && index[at]?.version === version;
    });
    if (isSame) return;
    const next: Indexed[] = [];
    for (const { name, context, version, items } of groups) {
      const old = earlier.get(name);
      if (old && old.version === version) {
        next.push(old);
        continue;
      }
      const options = { context, stem, turn };
      next.push({ name, version, postings: await buildPostings(items(), options) });
    }
    frequency = await countTerms(next, turn);
    index = next;
  }

  return {
    async find(query, { groups, limit, favored = new Map() }) {
      const turn = createTurns();
      await queue(async () => {
        await update(groups, turn);
        await setImmediate(); // many queries at once leave room for others between them
      });
      const words = { lexicon: await (lexicon ??= loadLexicon(stem, turn)), stem, frequency, turn };
      const searched = index;
      const total = searched.reduce((sum, { postings }) => sum + postings.items.length, 0);
      const read = await readQuery(query, words);
      const parts = weighParts(read, { frequency: words.frequency, total });
      const best = createBest(limit);
      for (const { postings } of searched) {
        const scores = scoreItems(postings, parts);
        favor(scores, postings, favored);
        offer(best, { postings, query, scores });
        await turn();
      }
      return best.hits();
    },
  };
}

function favor(
  scores: Float32Array,
  { spellings }: Postings,
  tools: ReadonlyMap<string, number>,
): void {
  for (const [name, sureness] of tools) {
    for (const at of spellings.get(name.toLowerCase()) ?? []) {
      scores[at] = (scores[at] ?? 0) + FAVOR * sureness;
    }
  }
}

/** Offers what scores enough; what is spelled like the query is the thing itself. */
function offer(
  best: Best,
  { postings, query, scores }: {
    readonly postings: Postings;
    readonly query: string;
    readonly scores: Float32Array;
  },
): void {
  const exact = new Set(postings.spellings.get(query.trim().toLowerCase()));
  for (let at = 0; at < scores.length; at++) {
    const score = exact.has(at) ? 1 : Math.min(scores[at] ?? 0, LIKE);
    const item = postings.items[at];
    if (item && score >= LEAST) best.offer(item, score);
  }
}

interface Best {
  offer(item: SearchItem, score: number): void;
  hits(): SearchHit[];
}

/** The best so many, best first; of equals the first that came. */
function createBest(limit: number): Best {
  const best: { readonly item: SearchItem; readonly score: number }[] = [];
  return {
    offer(item, score) {
      if (best.length === limit && score <= (best.at(-1)?.score ?? 0)) return;
      let at = best.length;
      while (at > 0 && (best[at - 1]?.score ?? 0) < score) at--;
      best.splice(at, 0, { item, score });
      if (best.length > limit) best.pop();
    },
    hits: () => best.map(({ item, score }) => ({ ...item, score: score ** STEEPNESS })),
  };
}

/** Number of items in all groups that contain each term. */
async function countTerms(
  index: readonly Indexed[],
  turn: Turn,
): Promise<ReadonlyMap<string, number>> {
  const frequency = new Map<string, number>();
  for (const { postings } of index) {
    for (const [term, { items }] of postings.terms) {
      frequency.set(term, (frequency.get(term) ?? 0) + items.length);
    }
    await turn();
  }
  return frequency;
}

/** The tables of words are read when the first query comes. */
async function loadLexicon(stem: Stem, turn: Turn): Promise<Lexicon> {
  const [{ default: trade }, { default: related }] = await Promise.all([
    import("./trade.json", { with: { type: "json" } }),
    import("./related.json", { with: { type: "json" } }),
  ]);
  return await createLexicon({ trade, related, stem, turn });
}
