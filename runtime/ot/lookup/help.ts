/** `ot.help`: one item by its name, else similar items (OT-43 to 54). */

import type { JsonObject, JsonValue } from "#base";
import { type Args, goesBy, packGoesBy, type ToolEntry } from "#packs";
import type { Kind, SearchHit } from "../../search/mod.ts";
import type { OtDeps } from "../deps.ts";
import { type Info, infoOf } from "./info.ts";
import { describeTool } from "./describe_tool.ts";
import { docsUrl } from "./docs.ts";
import { describePack } from "./listings.ts";
import { describeSnippet } from "./vocabulary.ts";

const MAX_HITS = 20;
/** Least share of the best score that a further match must have. */
const LEAST_OF_BEST = 0.4;
const GROUPS = { tool: "tools", pack: "packs", snippet: "snippets", alias: "aliases" } as const;

const OVERVIEW: JsonObject = {
  discovery: {
    "ot.help(query='...')": "Search everything, or look one thing up",
    "ot.tools(pattern='...', pack='...')": "Tools",
    "ot.packs()": "Packs",
    "ot.snippets()": "Snippets, called as $name param=value",
    "ot.aliases()": "Short names of tools",
    "ot.result(handle='...')": "Read on in a stored result",
  },
  info: {
    list: "Names",
    min: "A line each",
    full: "Everything: signature, arguments, example",
  },
  examples: [
    "ot.help(query='create issue')",
    "ot.tools(pack='ot', info='full')",
    "ot.tools(pattern='search', info='list')",
  ],
  tips: [
    "Call tools as pack.tool(name=value)",
    "Join, filter and pick in code, and return only what you need",
  ],
};

/** The answer to a query. */
export async function help(deps: OtDeps, args: Args): Promise<JsonValue> {
  const query = typeof args.query === "string" ? args.query.trim() : "";
  if (query === "") return OVERVIEW;
  const info = infoOf(args.info);
  if (info !== "list") {
    const exact = await lookUp(deps, query);
    if (exact) return exact;
  }
  const hits = await findLikely(deps, query);
  if (hits.length > 0) return grouped(hits, info);
  return `No matches for "${query}": browse with ot.tools() or ot.packs()`;
}

/** Finds the matches, without those that score far below the best. */
async function findLikely({ finder }: OtDeps, query: string): Promise<readonly SearchHit[]> {
  const hits = await finder.find(query, MAX_HITS);
  const least = (hits[0]?.score ?? 0) * LEAST_OF_BEST;
  return hits.filter(({ score }) => score >= least);
}

async function lookUp(deps: OtDeps, query: string): Promise<JsonObject | undefined> {
  const registry = deps.registry();
  const name = query.replace(/^\$/, "");
  if (query.startsWith("$") && Object.hasOwn(deps.snippets, name)) {
    const snippet = deps.snippets[name];
    if (snippet) return await describeSnippet(name, snippet);
  }
  const entry = findTool(registry.entries(), query);
  if (entry) {
    return { ...describeTool(entry, "full") as JsonObject, docs: docsUrl(deps.docs, entry.pack) };
  }
  const named = registry.entries().find((entry) => packGoesBy(entry, query))?.pack ?? query;
  const pack = registry.packs().find(({ name }) => name === named);
  if (pack) {
    const entries = registry.entries().filter((entry) => entry.pack === named);
    return { ...await describePack(deps, pack, entries), docs: docsUrl(deps.docs, named) };
  }
  const target = Object.hasOwn(deps.aliases, query) ? deps.aliases[query] : undefined;
  if (target === undefined) return undefined;
  return { name: query, target, usage: `${query}(...) calls ${target}(...)` };
}

/** A tool by any spelling of its name. */
function findTool(entries: readonly ToolEntry[], name: string): ToolEntry | undefined {
  const dot = name.indexOf(".");
  const [packName, toolName] = [name.slice(0, Math.max(dot, 0)), name.slice(dot + 1)];
  return entries.find((entry) =>
    entry.wire === name ||
    packGoesBy(entry, packName) && goesBy(entry, toolName)
  );
}

/** Hits by kind, the best first within each. */
function grouped(hits: readonly SearchHit[], info: Info): JsonObject {
  const byKind = Map.groupBy(hits, ({ kind }) => kind);
  const kinds = Object.keys(GROUPS) as Kind[];
  return Object.fromEntries(kinds.flatMap((kind) => {
    const hits = byKind.get(kind);
    return hits ? [[GROUPS[kind], hits.map((hit) => shown(hit, info))]] : [];
  }));
}

function shown({ name, description, score }: SearchHit, info: Info): JsonValue {
  if (info === "list") return name;
  if (info === "min") return { name, description };
  return { name, description, score: Math.round(score * 100) / 100 };
}
