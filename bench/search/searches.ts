/** Searches to measure: ours, and plain libraries over the same tools. */

import Fuse from "fuse.js";
import MiniSearch from "minisearch";
import { nameTools, type ToolEntry } from "#packs";
import { createSearchEngine, type SearchItem, toolItem } from "#runtime";
import { readCorpus } from "../../tests/support/corpus.ts";
import type { Search } from "./recall.ts";

/** Tools of the corpus, repeated under other servers until there are enough. */
export async function benchTools(count?: number): Promise<ToolEntry[]> {
  const corpus = await readCorpus();
  const { entries } = nameTools(corpus);
  if (count === undefined) return [...entries];
  const copies: ToolEntry[] = [];
  for (let round = 0; copies.length < count; round++) {
    const pack = (name: string) => round === 0 ? name : `${name}${round}`;
    copies.push(...entries.map((entry) => ({ ...entry, pack: pack(entry.pack) })));
  }
  return copies.slice(0, count);
}

function itemsOf(entries: readonly ToolEntry[]): SearchItem[] {
  return entries.map((entry) =>
    toolItem(entry, { name: `${entry.pack}.${entry.tool}`, description: "" })
  );
}

/** Our search. */
export function ourSearch(entries: readonly ToolEntry[]): Search {
  const groups = [...Map.groupBy(entries, ({ pack }) => pack)]
    .map(([name, of]) => ({ name, context: name, version: of, items: () => itemsOf(of) }));
  const engine = createSearchEngine();
  return async (query, limit) =>
    (await engine.find(query, { groups, limit })).map(({ name }) => name);
}

interface Plain {
  readonly id: number;
  readonly name: string;
  readonly words: string;
  readonly description: string;
  readonly parameters: string;
}

function plainOf(entries: readonly ToolEntry[]): Plain[] {
  return itemsOf(entries).map(({ name, text, parameters }, id) => ({
    id,
    name,
    words: name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll(/[^A-Za-z0-9]+/g, " "),
    description: text,
    parameters: parameters.join(" "),
  }));
}

/** fuse.js over names, descriptions and parameters, any word. */
export function fuseSearch(entries: readonly ToolEntry[]): Search {
  const fuse = new Fuse(plainOf(entries), {
    keys: [{ name: "words", weight: 3 }, { name: "parameters", weight: 1 }, "description"],
    ignoreLocation: true,
    useExtendedSearch: true,
    threshold: 0.35,
  });
  return (query, limit) => {
    const any = query.split(/\s+/).join(" | ");
    return Promise.resolve(fuse.search(any, { limit }).map(({ item }) => item.name));
  };
}

/** minisearch over the same, with its own fuzziness and prefixes. */
export function miniSearch(entries: readonly ToolEntry[]): Search {
  const mini = new MiniSearch<Plain>({
    fields: ["words", "parameters", "description"],
    storeFields: ["name"],
    searchOptions: { boost: { words: 3 }, fuzzy: 0.2, prefix: true },
  });
  mini.addAll(plainOf(entries));
  return (query, limit) =>
    Promise.resolve(mini.search(query).slice(0, limit).map(({ name }) => String(name)));
}
