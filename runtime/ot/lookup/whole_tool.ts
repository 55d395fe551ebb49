/** A tool in help, whole: enough to call it right the first time (OT-44). */

import { mayRepeat, parameterNames, sourceOf, type ToolEntry } from "#packs";
import type { Learned } from "../../types/mod.ts";
import { argumentLines } from "./argument_lines.ts";
import { callName } from "./describe_tool.ts";
import { exampleCall, hasExample } from "./example.ts";
import { firstSentence, foreignLine, foreignText } from "./foreign.ts";
import { signatureOf } from "./signature.ts";

const SENTENCE = 200;
const EXAMPLE = 400;
/** A description that gets less is left out. */
const LEAST_DESCRIPTION = 80;
/** Characters of all arguments in the signature, and of one description of an argument: the first
 * pair with which the tool has room is taken. */
const SIZES = [
  { args: 1_500, description: 600 },
  { args: 500, description: 200 },
  { args: 400, description: 100 },
  { args: 250, description: 50 },
  { args: 160, description: 0 },
] as const;

/** Between the paragraphs of a tool. */
const GAP = "\n\n";

export interface WholeOptions {
  readonly learned?: Learned | undefined;
  /** Characters for all of it. */
  readonly most: number;
  /** Remark on its pack. */
  readonly note?: string | undefined;
  /** True for a tool that is asked for by its name. */
  readonly isExact?: boolean;
  /** Address of its pack's page. */
  readonly docs?: string | undefined;
}

/** Describes a tool; undefined where its heading, first sentence and signature have no room. */
export function wholeTool(entry: ToolEntry, options: WholeOptions): string | undefined {
  const { most, note, docs, isExact = false } = options;
  const example = isExact || hasExample(entry.spec.inputSchema)
    ? [`Example: ${foreignLine(exampleCall(callName(entry), entry.spec.inputSchema), EXAMPLE)}`]
    : [];
  const effect = `Effect: ${entry.effect}`;
  const foot = [...example, ...(isExact ? [] : [effect]), ...(note === undefined ? [] : [note])];
  const facts = isExact
    ? [
      effect,
      ...retryOf(entry),
      `Source: ${sourceOf(entry)}`,
      ...(docs === undefined ? [] : [`Docs: ${docs}`]),
    ]
    : [];
  for (const size of isExact ? SIZES : SIZES.slice(1)) {
    const { head, lines } = partsOf(entry, options, size);
    const isLast = size === SIZES.at(-1);
    const rest = joinLines([...head, ...foot, ...facts]).length;
    const page = isLast ? fitting(lines, most - rest) : lines;
    const text = joinLines([...head, ...page, ...foot]);
    if (text.length + joinLines(facts).length + GAP.length > most) continue;
    if (!isExact) return text;
    const room = most - text.length - joinLines(facts).length - 2 * GAP.length;
    return [text, ...descriptionOf(entry, room), joinLines(facts)].join(GAP);
  }
  return undefined;
}

function partsOf(
  entry: ToolEntry,
  { learned, isExact }: WholeOptions,
  { args, description }: (typeof SIZES)[number],
): { head: string[]; lines: string[] } {
  const signature = signatureOf(entry, { learned, most: args, whole: isExact });
  const sentence = firstSentence(entry.spec.description || (entry.spec.title ?? ""), SENTENCE);
  const head = [`## ${callName(entry)}`, sentence, signature.text].filter((line) => line !== "");
  return { head, lines: argumentLines(entry, signature, description) };
}

/** Remark that its calls may be repeated, unless `retry` is a parameter of its own. */
function retryOf(entry: ToolEntry): string[] {
  const isOwn = parameterNames(entry.spec.inputSchema).some((name) => name.startsWith("retry"));
  return mayRepeat(entry) && !isOwn
    ? ["Retry: `retry=2` repeats the call after a failure that may pass"]
    : [];
}

/** The first lines that have room, and how many more there are. */
function fitting(lines: readonly string[], most: number): readonly string[] {
  const page: string[] = [];
  let left = most - "- … 999 more".length;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) return [...page, `- … ${lines.length - page.length} more`];
    page.push(line);
  }
  return page;
}

/** The whole description, where it says more than its first sentence does. */
function descriptionOf({ spec }: ToolEntry, room: number): string[] {
  const description = spec.description.trim();
  const isMore = foreignLine(description, Infinity) !== firstSentence(description, SENTENCE);
  return isMore && room >= LEAST_DESCRIPTION ? [foreignText(description, room)] : [];
}

function joinLines(lines: readonly string[]): string {
  return lines.join("\n");
}
