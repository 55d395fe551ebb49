/** `ot.help`: one thing by its name, else what is like it (OT-43 to 54). */

import type { Args } from "#packs";
import type { JsonObject, JsonValue } from "#sandbox";
import { type Info, infoOf, type OtDeps } from "./deps.ts";
import { callName, describeTool } from "./describe_tool.ts";
import type { Finder, Hit, Kind } from "./find.ts";
import { describePack } from "./listings.ts";
import { describeSnippet } from "./vocabulary.ts";

const MAX_HITS = 20;
const DOCS = "https://onetool.beycom.online/reference/tools";
const SLUGS: Readonly<Record<string, string>> = {
  brave: "brave-search",
  code: "code-search",
  db: "database",
  ground: "grounding-search",
  llm: "transform",
  web: "web-fetch",
};
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
export async function help(deps: OtDeps, finder: Finder, args: Args): Promise<JsonValue> {
  const query = typeof args.query === "string" ? args.query.trim() : "";
  if (query === "") return OVERVIEW;
  const info = infoOf(args.info);
  if (info !== "list") {
    const exact = await lookUp(deps, query);
    if (exact) return exact;
  }
  const hits = await finder.find(query, MAX_HITS);
  if (hits.length > 0) return grouped(hits, info);
  return `No matches for "${query}": browse with ot.tools() or ot.packs()`;
}

async function lookUp(deps: OtDeps, query: string): Promise<JsonObject | undefined> {
  const registry = deps.registry();
  const name = query.replace(/^\$/, "");
  if (query.startsWith("$") && Object.hasOwn(deps.snippets, name)) {
    const snippet = deps.snippets[name];
    if (snippet) return await describeSnippet(name, snippet);
  }
  const entry = registry.entries().find((entry) =>
    [callName(entry), `${entry.pack}.${entry.tool}`, entry.wire].includes(query)
  );
  if (entry) return { ...describeTool(entry, "full") as JsonObject, docs: docsOf(entry.pack) };
  const pack = registry.packs().find((pack) => pack.name === query);
  if (pack) {
    const entries = registry.entries().filter((entry) => entry.pack === query);
    return { ...describePack(deps, pack, entries), docs: docsOf(query) };
  }
  const target = Object.hasOwn(deps.aliases, query) ? deps.aliases[query] : undefined;
  if (target === undefined) return undefined;
  return { name: query, target, usage: `${query}(...) calls ${target}(...)` };
}

function docsOf(pack: string): string {
  const slug = Object.hasOwn(SLUGS, pack) ? SLUGS[pack] : undefined;
  return `${DOCS}/${encodeURIComponent(slug ?? pack)}/`;
}

/** Hits by kind, the best first within each. */
function grouped(hits: readonly Hit[], info: Info): JsonObject {
  const byKind = Map.groupBy(hits, ({ kind }) => kind);
  const kinds = Object.keys(GROUPS) as Kind[];
  return Object.fromEntries(kinds.flatMap((kind) => {
    const found = byKind.get(kind);
    return found ? [[GROUPS[kind], found.map((hit) => shown(hit, info))]] : [];
  }));
}

function shown({ name, description, score }: Hit, info: Info): JsonValue {
  if (info === "list") return name;
  if (info === "min") return { name, description };
  return { name, description, score: Math.round(score * 100) / 100 };
}
