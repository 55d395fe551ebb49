/** Search over everything that has a name: tools, packs, snippets and aliases. */

import { type Pack, type Registry, standsBackNow, type ToolEntry } from "#packs";
import type { SnippetDefinition } from "../../command/types.ts";
import {
  createSearchEngine,
  type Habits,
  type SearchGroup,
  type SearchHit,
  type SearchItem,
  toolItem,
} from "../../search/mod.ts";
import { type Learned, resultFields } from "../../types/mod.ts";
import { brief, callName } from "./describe_tool.ts";

export interface Finder {
  /** Finds the items that match a query, best first. */
  find(query: string, limit: number): Promise<readonly SearchHit[]>;
  /** Reads the tools of packs again: other things are known of their results. */
  relearn(packs: ReadonlySet<string>): void;
}

/** Names from the configuration. */
export interface FinderVocabulary {
  readonly alias: Readonly<Record<string, string>>;
  readonly snippets: Readonly<Record<string, SnippetDefinition>>;
  readonly prompts: { readonly packs: Readonly<Record<string, string>> };
}

export interface FinderDeps {
  readonly registry: () => Registry;
  /** Current value; the same object until it changes. */
  readonly vocabulary: () => FinderVocabulary;
  /** Tools that were called after queries. */
  readonly habits?: Pick<Habits, "toolsAfter">;
  /** Finds what was learned of a tool's results. */
  readonly learned?: Learned;
}

/** Makes a search that reads a pack's tools again only where they have changed. */
export function createFinder({ registry, vocabulary, habits, learned }: FinderDeps): Finder {
  const engine = createSearchEngine();
  let indexed: readonly ToolEntry[] | undefined;
  let tools: readonly ToolGroup[] = [];
  let words: FinderVocabulary | undefined;
  let others: readonly SearchGroup[] = [];
  let listed = "";

  function groups(): readonly SearchGroup[] {
    const entries = registry().entries();
    const isChanged = entries !== indexed;
    if (isChanged) {
      tools = groupTools(entries, { before: tools, learned });
      indexed = entries;
    }
    const now = vocabulary();
    const all = registry().packs();
    const packs = all.filter((pack) => !standsBackNow(pack, all));
    const names = packs.map(({ name }) => name).join();
    if (isChanged || now !== words || names !== listed) others = otherGroups(packs, now);
    [words, listed] = [now, names];
    const isSearched = new Set(packs.map(({ name }) => name));
    return [...tools.filter(({ context }) => isSearched.has(context)), ...others];
  }

  return {
    find: (query, limit) =>
      engine.find(query, { groups: groups(), limit, favored: habits?.toolsAfter(query) }),
    relearn(packs) {
      tools = tools.map((group) => packs.has(group.context) ? { ...group, version: {} } : group);
    },
  };
}

interface ToolGroup extends SearchGroup {
  readonly entries: readonly ToolEntry[];
}

/** A group for each pack; the same as before where its tools are. */
function groupTools(
  entries: readonly ToolEntry[],
  { before, learned }: {
    readonly before: readonly ToolGroup[];
    readonly learned?: Learned | undefined;
  },
): ToolGroup[] {
  const earlier = new Map(before.map((group) => [group.name, group]));
  return [...Map.groupBy(entries, ({ pack }) => pack)].map(([pack, of]) => {
    const name = `tools of ${pack}`;
    const old = earlier.get(name);
    if (old && sameTools(old.entries, of)) return old;
    const items = () => of.values().map((entry) => itemOf(entry, learned));
    return { name, context: pack, version: of, entries: of, items };
  });
}

function sameTools(before: readonly ToolEntry[], now: readonly ToolEntry[]): boolean {
  return before.length === now.length && now.every(({ spec, wire, toolKey, packKey }, at) => {
    const old = before[at];
    return old?.spec === spec && old.wire === wire && old.toolKey === toolKey &&
      old.packKey === packKey;
  });
}

function itemOf(entry: ToolEntry, learned: Learned | undefined): SearchItem {
  const hints = resultFields(entry, learned);
  return toolItem(entry, {
    name: callName(entry),
    description: brief(entry.spec.description),
    hints,
  });
}

function otherGroups(packs: readonly Pack[], words: FinderVocabulary): SearchGroup[] {
  const items = {
    packs: packs.map((pack) => packItem(pack, words.prompts.packs)),
    snippets: Object.entries(words.snippets).map(([name, { description = "", params }]) => ({
      ...plain("snippet", name, description),
      name: `$${name}`,
      spellings: [`$${name}`.toLowerCase(), name.toLowerCase()],
      parameters: Object.keys(params),
    })),
    aliases: Object.entries(words.alias).map(([name, target]) => plain("alias", name, target)),
  };
  return Object.entries(items).map(([name, of]) => ({
    name,
    context: "",
    version: JSON.stringify(of),
    items: () => of,
  }));
}

function packItem(pack: Pack, texts: Readonly<Record<string, string>>): SearchItem {
  const text = Object.hasOwn(texts, pack.name) ? texts[pack.name] ?? "" : "";
  const item = plain("pack", pack.name, text);
  const count = pack.tools().length;
  const hints = [pack.description ?? "", pack.instructions?.() ?? ""];
  return {
    ...item,
    hints,
    description: item.description || `${count} tool${count === 1 ? "" : "s"}`,
  };
}

function plain(kind: SearchItem["kind"], name: string, text: string): SearchItem {
  const spellings = [name.toLowerCase()];
  return { kind, name, own: name, description: brief(text), text, spellings, parameters: [] };
}
