/** Search over everything that has a name: tools, packs, snippets and aliases. */

import { setImmediate } from "node:timers/promises";
import Fuse from "fuse.js";
import { parameterNames, type ToolEntry } from "#packs";
import type { OtDeps } from "./deps.ts";
import { brief, callName } from "./describe_tool.ts";

export type Kind = "tool" | "pack" | "snippet" | "alias";

export interface Item {
  readonly kind: Kind;
  readonly name: string;
  readonly description: string;
  /** The name and the parameters as single words. */
  readonly words: string;
}

export interface Hit extends Item {
  /** 0 to 1, the best is 1. */
  readonly score: number;
}

export interface Finder {
  /** What is like a query, best first. */
  find(query: string, limit: number): Promise<readonly Hit[]>;
}

const MAX_WORDS = 8;
/** Items searched between two breaths of the event loop. */
const PIECE = 200;
const OPTIONS = {
  keys: [{ name: "name", weight: 3 }, { name: "words", weight: 2 }, "description"],
  includeScore: true,
  ignoreLocation: true,
  threshold: 0.35,
};

/** Makes a search that is built again only where the tools have changed. It goes in pieces, so that
 * nothing else has to wait. */
export function createFinder(deps: OtDeps): Finder {
  let known: readonly ToolEntry[] | undefined;
  let pieces: { readonly items: readonly Item[]; fuse?: Fuse<Item> }[] = [];

  function current(): typeof pieces {
    const entries = deps.registry().entries();
    if (entries === known) return pieces;
    known = entries;
    const items = itemsOf(deps, entries);
    pieces = [];
    for (let at = 0; at < items.length; at += PIECE) {
      pieces.push({ items: items.slice(at, at + PIECE) });
    }
    return pieces;
  }

  return {
    async find(query, limit) {
      const words = query.slice(0, 200).split(/[^\p{L}\p{N}]+/u).filter(Boolean).slice(
        0,
        MAX_WORDS,
      );
      const scores = new Map<Item, number>();
      for (const piece of current()) {
        piece.fuse ??= new Fuse(piece.items, OPTIONS);
        for (const word of words) {
          for (const { item, score = 1 } of piece.fuse.search(word)) {
            scores.set(item, (scores.get(item) ?? 0) + (1 - score) / words.length);
          }
        }
        await setImmediate();
      }
      return [...scores].map(([item, score]) => ({ ...item, score }))
        .sort((a, b) => b.score - a.score).slice(0, limit);
    },
  };
}

function itemsOf(deps: OtDeps, entries: readonly ToolEntry[]): Item[] {
  const item = (kind: Kind, name: string, description: string, params: readonly string[] = []) => ({
    kind,
    name,
    description,
    words: [name, ...params].join(" ").replaceAll(/([a-z])([A-Z])/g, "$1 $2")
      .replaceAll(/[^\p{L}\p{N}]+/gu, " "),
  });
  return [
    ...entries.map((entry) =>
      item(
        "tool",
        callName(entry),
        brief(entry.spec.description),
        parameterNames(entry.spec.inputSchema),
      )
    ),
    ...deps.registry().packs().map(({ name }) =>
      item("pack", name, brief(deps.instructions[name] ?? ""))
    ),
    ...Object.entries(deps.snippets).map(([name, { description = "", params }]) =>
      item("snippet", `$${name}`, description, Object.keys(params))
    ),
    ...Object.entries(deps.aliases).map(([name, target]) => item("alias", name, target)),
  ];
}
