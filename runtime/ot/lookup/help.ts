/** `ot.help`: text on one item by its name, else on similar items, for several queries in turn (OT-43
 * to 54). */

import type { JsonValue } from "#base";
import {
  type Args,
  camelCase,
  isCallOf,
  overlappingServer,
  type Pack,
  packGoesBy,
  spelled,
  type ToolEntry,
} from "#packs";
import type { SearchHit } from "../../search/mod.ts";
import type { LookupDeps, OtDeps } from "../deps.ts";
import { callName } from "./describe_tool.ts";
import { docsUrl } from "./docs.ts";
import { foreignLine } from "./foreign.ts";
import { infoOf } from "./info.ts";
import { packText } from "./pack_text.ts";
import { type Earlier, searchText } from "./search_text.ts";
import { toolText } from "./tool_text.ts";
import { aliasText, snippetHelp } from "./vocabulary.ts";
import { wholeTool } from "./whole_tool.ts";

const MAX_HITS = 20;
/** Least share of the best score that a further match must have. */
const LEAST_OF_BEST = 0.4;
/** Characters of all answers, and of them where one is a pack. */
const MOST = 4_000;
const MOST_WITH_PACK = 6_000;
/** Maximum characters, and tools that are shown whole, for full details. */
const FULL = { most: 200_000, tools: 10 };
const QUERY = 80;

/** One query, with what has its name. */
interface Topic {
  readonly query: string;
  readonly exact?:
    | { readonly kind: "tool"; readonly entry: ToolEntry }
    | { readonly kind: "pack"; readonly pack: Pack }
    | { readonly kind: "snippet" | "alias"; readonly name: string };
}

/** The answer: text, or a list of names. */
export async function help(deps: LookupDeps, args: Args): Promise<JsonValue> {
  const values = Array.isArray(args.query) ? args.query : [args.query];
  const queries = values.flatMap((query) => typeof query === "string" ? query.trim() || [] : []);
  const packs = deps.registry().packs();
  if (queries.length === 0) return overviewText(packs);
  const topics = queries.map((query) => topicOf(deps, query));
  const info = infoOf(args.info);
  if (info === "list") return await namesOf(deps, topics);
  return await answer(deps, topics, info === "full");
}

/** Answers all topics: a search or a tool in its share of the room, then packs in the room that is
 * left. */
async function answer(
  deps: LookupDeps,
  topics: readonly Topic[],
  isFull: boolean,
): Promise<string> {
  const isPack = ({ exact }: Topic) => exact?.kind === "pack";
  const texts = new Map<Topic, string>();
  const earlier: Earlier = { whole: new Set(), listed: new Set() };
  const write = async (some: readonly Topic[], most: number, among: number) => {
    let left = most;
    for (const [at, topic] of some.entries()) {
      const title = topics.length > 1 ? `# ${foreignLine(topic.query, QUERY)}\n` : "";
      const share = Math.floor(left / (among - at)) - title.length - (among > 1 ? 2 : 0);
      const text = title + await textOf(deps, topic, { most: share, isFull, earlier });
      texts.set(topic, text);
      left -= text.length + 2;
    }
  };
  await write(topics.filter((topic) => !isPack(topic)), isFull ? FULL.most : MOST, topics.length);
  const packs = topics.filter(isPack);
  const used = isFull ? 0 : [...texts.values()].reduce((sum, { length }) => sum + length + 2, 0);
  await write(packs, MOST_WITH_PACK - used, packs.length);
  return topics.map((topic) => texts.get(topic)).join("\n\n");
}

interface TextOptions {
  readonly most: number;
  readonly isFull: boolean;
  readonly earlier: Earlier;
}

async function textOf(deps: LookupDeps, topic: Topic, options: TextOptions): Promise<string> {
  const { query, exact } = topic;
  const { most } = options;
  switch (exact?.kind) {
    case undefined:
      return await foundText(deps, query, options);
    case "tool": {
      const { entry } = exact;
      const docs = docsUrl(deps.docs, entry.pack);
      const note = noteOf(deps, entry.pack);
      const options = { learned: deps.learned, most, isExact: true, docs, note };
      const otherwise = foreignLine(callName(entry), most);
      const text = await toolText(entry, () => wholeTool(entry, options), {
        inTurn: deps.inTurn,
        otherwise,
      });
      return text ?? otherwise;
    }
    case "pack": {
      const entries = entriesOf(deps, exact.pack);
      const note = noteOf(deps, exact.pack.name);
      return await packText(deps, exact.pack, { entries, most, note });
    }
    case "snippet":
      return (await snippetHelp(deps, exact.name)).slice(0, most);
    case "alias":
      return aliasText(deps, exact.name).slice(0, most);
    default:
      return exact satisfies never;
  }
}

/** Finds the matches of words, and describes them. */
async function foundText(
  deps: LookupDeps,
  query: string,
  { most, isFull, earlier }: TextOptions,
): Promise<string> {
  const hits = await findLikely(deps, query);
  const { learned, registry, inTurn } = deps;
  if (hits.length === 0) return noMatch(query, registry().packs()).slice(0, most);
  return await searchText(hits, {
    entries: new Map(registry().entries().map((entry) => [callName(entry), entry])),
    most,
    earlier,
    whole(entry, most) {
      const note = noteOf(deps, entry.pack);
      const name = `## ${callName(entry)}`;
      const otherwise = name.length <= most ? name : undefined;
      const make = () => wholeTool(entry, { learned, most, note });
      return toolText(entry, make, { inTurn, otherwise });
    },
    ...(isFull ? { tools: FULL.tools } : {}),
  });
}

function noMatch(query: string, packs: readonly Pack[]): string {
  const names = packNames(packs);
  return `No matches for ${foreignLine(JSON.stringify(query), QUERY)}: browse with ot.tools() or ` +
    `ot.packs(), or try other words. Packs: ${names}`;
}

/** Finds the matches, without those that score far below the best. */
async function findLikely({ finder }: OtDeps, query: string): Promise<readonly SearchHit[]> {
  const hits = await finder.find(query, MAX_HITS);
  const least = (hits[0]?.score ?? 0) * LEAST_OF_BEST;
  return hits.filter(({ score }) => score >= least);
}

/** Names only: of a pack and its tools, or of what matches the words. */
async function namesOf(deps: OtDeps, topics: readonly Topic[]): Promise<string[]> {
  const names = new Set<string>();
  for (const { query, exact } of topics) {
    if (exact?.kind === "pack") {
      for (const name of [exact.pack.name, ...entriesOf(deps, exact.pack).map(callName)]) {
        names.add(name);
      }
      continue;
    }
    for (const { name } of await findLikely(deps, query)) names.add(name);
  }
  return [...names];
}

function topicOf(deps: OtDeps, query: string): Topic {
  const registry = deps.registry();
  const snippet = query.replace(/^\$/, "");
  if (query.startsWith("$") && Object.hasOwn(deps.snippets, snippet)) {
    return { query, exact: { kind: "snippet", name: snippet } };
  }
  const entry = findTool(registry.entries(), query);
  if (entry) return { query, exact: { kind: "tool", entry } };
  const packName = registry.entries().find((entry) => packGoesBy(entry, query))?.pack ?? query;
  const pack = registry.packs().find(({ name }) => name === packName);
  if (pack) return { query, exact: { kind: "pack", pack } };
  if (Object.hasOwn(deps.aliases, query)) return { query, exact: { kind: "alias", name: query } };
  return { query };
}

/** Remark on a built-in pack beside a server that does the same. */
function noteOf({ registry }: Pick<OtDeps, "registry">, name: string): string | undefined {
  const packs = registry().packs();
  const pack = packs.find((pack) => pack.name === name);
  const server = pack && overlappingServer(pack, packs);
  return server &&
    `The configured server "${server.name}" does this too: ot.help("${server.name}")`;
}

function entriesOf({ registry }: Pick<OtDeps, "registry">, pack: Pack): readonly ToolEntry[] {
  return registry().entries().filter((entry) => entry.pack === pack.name);
}

/** A tool by any spelling of its name. */
function findTool(entries: readonly ToolEntry[], name: string): ToolEntry | undefined {
  const dot = name.indexOf(".");
  const [packName, toolName] = [name.slice(0, Math.max(dot, 0)), name.slice(dot + 1)];
  return entries.find((entry) =>
    entry.wire === name ||
    isCallOf(entry, { pack: packName, tool: toolName })
  );
}

const NAMES = 1_500;
const OVERVIEW = `## Find
ot.help("create issue"): what is like these words, ready to be called
ot.help("create issue", "send mail"): several at once
ot.help("github.create_issue"): everything about a tool
ot.help("github"): a pack, with the signature of each tool
ot.tools(pattern="search", pack="github"), ot.packs(): lists to filter in code
ot.snippets(), called as $name param=value; ot.aliases(): short names of tools
ot.result(handle="..."): read on in a stored result

## info
list: names, as a list
min: what is needed for a call (the default)
full: up to ten tools

## Tips
Call tools as pack.tool(name=value)
Join, filter and pick in code, and return only what you need`;

/** The ways to find something, and the names of the packs. */
export function overviewText(packs: readonly Pack[]): string {
  return `${OVERVIEW}\n\nPacks: ${packNames(packs)}`;
}

/** Names as code writes them. */
export function packNames(packs: readonly Pack[]): string {
  const names = packs.map(({ name }) => spelled(name, camelCase(name)));
  return foreignLine(names.join(", "), NAMES);
}
