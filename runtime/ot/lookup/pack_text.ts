/** A pack in help: its instructions, and a signature for each of its tools (OT-45). */

import { type Pack, spelled, type ToolEntry } from "#packs";
import type { LookupDeps, OtDeps } from "../deps.ts";
import { docsUrl } from "./docs.ts";
import { callName } from "./describe_tool.ts";
import { foreignLine, foreignText } from "./foreign.ts";
import { signatureOf } from "./signature.ts";
import { toolText } from "./tool_text.ts";

const INSTRUCTIONS = 1_500;
const PROBLEM = 300;
/** Characters of the arguments of one tool, and of its line: tried one after the other. */
const SIZES = [
  { args: 400, line: 700 },
  { args: 200, line: 300 },
  { args: 100, line: 160 },
  { args: 40, line: 90 },
] as const;
/** Room that is kept to say how many more tools there are. */
const MORE = 160;

export interface PackTextOptions {
  readonly entries: readonly ToolEntry[];
  /** Characters for all of it. */
  readonly most: number;
  /** Remark on it. */
  readonly note?: string | undefined;
}

/** Describes a pack in at most so many characters. */
export async function packText(
  deps: Pick<LookupDeps, "docs" | "instructions" | "learned" | "inTurn">,
  pack: Pack,
  { entries, most, note }: PackTextOptions,
): Promise<string> {
  const { name } = pack;
  const own = Object.hasOwn(deps.instructions, name) ? deps.instructions[name] : undefined;
  const { state, error } = pack.status();
  const problem = pack.problem?.() ?? error;
  const about = [
    foreignText(own ?? pack.instructions?.() ?? pack.description ?? "", INSTRUCTIONS),
    problem ? foreignLine(`Status: ${state}: ${problem}`, PROBLEM) : "",
    note ?? "",
  ].filter((text) => text !== "");
  const head = [`## ${spelled(name, entries[0]?.packKey ?? name)}`, ...about].join("\n");
  const url = docsUrl(deps.docs, name);
  const docs = url === undefined ? [] : [`Docs: ${url}`];
  const room = most - head.length - docs.join("").length - 4;
  const { lines, more } = await toolLines(entries, {
    learned: deps.learned,
    inTurn: deps.inTurn,
    room,
  });
  const rest = more === 0 ? [] : [
    `… ${more} more tools: name what you need, ot.help("words"), or list all with ` +
    `ot.tools(pack=${JSON.stringify(name)}, info="list")`,
  ];
  return [[head, ...lines].join("\n"), [...docs, ...rest].join("\n")]
    .filter((part) => part !== "").join("\n\n").slice(0, most);
}

/** A line for each tool; where they have no room in any size, the first ones. */
async function toolLines(
  entries: readonly ToolEntry[],
  { learned, inTurn, room }: Pick<LookupDeps, "learned" | "inTurn"> & { readonly room: number },
): Promise<{ lines: readonly string[]; more: number }> {
  for (const size of SIZES) {
    const isLast = size === SIZES.at(-1);
    const lines: string[] = [];
    let left = room;
    for (const [at, entry] of entries.entries()) {
      const line = await toolText(entry, () => lineOf(entry, { learned, ...size }), {
        inTurn,
        otherwise: callName(entry),
      });
      const isWhole = at === entries.length - 1;
      left -= line.length + 1;
      if (left < (isWhole ? 0 : isLast ? MORE : 0)) break;
      lines.push(line);
    }
    const more = entries.length - lines.length;
    if (more === 0 || isLast) return { lines, more };
  }
  return { lines: [], more: entries.length };
}

function lineOf(
  entry: ToolEntry,
  { learned, args, line }: Pick<OtDeps, "learned"> & (typeof SIZES)[number],
): string {
  const { text } = signatureOf(entry, { learned, most: args });
  if (text.length <= line) return text;
  return signatureOf(entry, { learned, most: args, result: false }).text;
}
