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

export interface SearchTextOptions {
  /** Tools among the matches, by the name that a match has. */
  readonly entries: ReadonlyMap<string, ToolEntry>;
  /** Characters for all of it. */
  readonly most: number;
  /** Describes a tool in at most so many characters; undefined where it has no room. */
  readonly whole: (entry: ToolEntry, most: number) => string | undefined;
  /** Tools that are shown whole, up to so many. */
  readonly tools?: number;
}

/** Writes matches, the best first, in at most so many characters. */
export function searchText(
  hits: readonly SearchHit[],
  { entries, most, whole, tools: mostWhole = MOST_WHOLE }: SearchTextOptions,
): string {
  const others = hits.filter(({ kind }) => kind !== "tool").slice(0, MOST_OTHERS).map(otherLine);
  const tools = hits.flatMap(({ kind, name }) => {
    const entry = kind === "tool" ? entries.get(name) : undefined;
    return entry ? [entry] : [];
  });
  const best = tools.slice(0, mostWhole);
  const reserved = Math.min(
    most * TAIL,
    tailOf(tools.slice(best.length), others).join("\n").length,
  );
  const parts: string[] = [];
  let left = most - reserved;
  for (const [at, entry] of best.entries()) {
    const text = whole(entry, Math.floor(left / (best.length - at)) - 2);
    if (text === undefined) break;
    parts.push(text);
    left -= text.length + 2;
  }
  const [title = "", ...lines] = tailOf(tools.slice(parts.length), others);
  const tail = parts.length > 0 || title !== ALSO ? [title, ...lines] : lines;
  const rest = fitting(tail, left + reserved).join("\n");
  return [...parts, rest].filter((part) => part !== "" && part !== ALSO).join("\n\n");
}

function tailOf(tools: readonly ToolEntry[], others: readonly string[]): readonly string[] {
  const also = tools.slice(0, MOST_ALSO).map((entry) => {
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
