/** Answer to words in help: the best tools whole, then what else is like them (OT-48 to 52). */

import type { ToolEntry } from "#packs";
import type { SearchHit } from "../../search/mod.ts";
import { callName } from "./describe_tool.ts";
import { firstSentence, foreignLine } from "./foreign.ts";

const ALSO = "Also:";
const MOST_WHOLE = 3;
const MOST_ALSO = 7;
const MOST_OTHERS = 5;
const LINE = 160;
/** Share of the room that is kept for the lines after the whole tools. */
const TAIL = 0.35;

/** Tools that the answers before have: shown whole, or by a line. */
export interface Earlier {
  readonly whole: Set<ToolEntry>;
  readonly listed: Set<ToolEntry>;
}

export interface SearchTextOptions {
  /** Tools among the matches, by the name that a match has. */
  readonly entries: ReadonlyMap<string, ToolEntry>;
  /** Characters for all of it. */
  readonly most: number;
  /** Describes a tool in at most so many characters; undefined where it has no room. */
  readonly whole: (entry: ToolEntry, most: number) => Promise<string | undefined>;
  /** Tools that are shown whole, up to so many. */
  readonly tools?: number;
  readonly earlier: Earlier;
}

/** Writes matches, best first, in at most `most` characters. A tool that an earlier answer shows
 * whole gets "As above"; the tools of this answer are added to `earlier`. */
export async function searchText(
  hits: readonly SearchHit[],
  { entries, most, whole, earlier, tools: mostWhole = MOST_WHOLE }: SearchTextOptions,
): Promise<string> {
  const others = hits.filter(({ kind }) => kind !== "tool").slice(0, MOST_OTHERS).map(otherLine);
  const tools = hits.flatMap(({ kind, name }) => {
    const entry = kind === "tool" ? entries.get(name) : undefined;
    return entry ? [entry] : [];
  });
  // Of the tools above, the best one is named again.
  const best = tools.slice(0, mostWhole)
    .filter((entry, at) => at === 0 || !earlier.whole.has(entry));
  const isNew = (entry: ToolEntry) => !earlier.whole.has(entry) && !earlier.listed.has(entry);
  const also = (described: number) =>
    tools.filter((entry) => isNew(entry) && !best.slice(0, described).includes(entry))
      .slice(0, MOST_ALSO);
  const tailAfter = (described: number) => tailOf(also(described), others);
  const reserved = Math.min(most * TAIL, tailAfter(best.length).join("\n").length);
  const parts: string[] = [];
  let left = most - reserved;
  const describe = async (entry: ToolEntry, at: number): Promise<string | undefined> => {
    const above = `## ${callName(entry)}\nAs above`;
    if (earlier.whole.has(entry)) return above.length <= left ? above : undefined;
    // The best tool may take the room of the names of others.
    return await whole(entry, Math.floor(left / (best.length - at)) - 2) ??
      (at === 0 ? await whole(entry, most) : undefined);
  };
  for (const [at, entry] of best.entries()) {
    const text = await describe(entry, at);
    if (text === undefined) break;
    parts.push(text);
    left -= text.length + 2;
  }
  const [title = "", ...lines] = tailAfter(parts.length);
  const isTitled = parts.length > 0 || title !== ALSO;
  const rest = fitting(isTitled ? [title, ...lines] : lines, left + reserved);
  const listed = also(parts.length).slice(0, rest.length - (isTitled ? 1 : 0));
  for (const entry of best.slice(0, parts.length)) earlier.whole.add(entry);
  for (const entry of listed) earlier.listed.add(entry);
  return [...parts, rest.join("\n")].filter((part) => part !== "" && part !== ALSO).join("\n\n");
}

function tailOf(tools: readonly ToolEntry[], others: readonly string[]): readonly string[] {
  const also = tools.map((entry) => {
    const { description, title = "" } = entry.spec;
    return foreignLine(`${callName(entry)}: ${firstSentence(description || title, LINE)}`, LINE);
  });
  return [...(also.length > 0 ? [ALSO, ...also] : []), ...others];
}

/** `Pack office: Mail and calendars`. */
function otherLine({ kind, name, description }: SearchHit): string {
  const word = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
  return foreignLine(`${word} ${name}: ${description}`, LINE);
}

/** The first lines that have room. */
function fitting(lines: readonly string[], most: number): readonly string[] {
  let left = most;
  const at = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return at < 0 ? lines : lines.slice(0, at);
}
