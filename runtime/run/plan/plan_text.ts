/** Plans as a person reads them: the calls by tool, each with its number, its line and arguments. */

import { escapeUnseen, ROW, setOff, shorten } from "#base";
import { argumentLines, isPlainName, nameText, reasonLines } from "../approval/question_text.ts";
import type { RunPlan } from "../types.ts";

export type ShownPlan = Pick<RunPlan, "calls" | "uncertain" | "incomplete">;
type Arguments = Pick<RunPlan["calls"][number], "arguments" | "because">;

/** Characters of a question. */
const MOST_TEXT = 250_000;
/** Characters of a call where it is one of several choices. */
const MOST_CHARACTERS = 160;

/** Returns true where one question can show all calls, each as a question of its own would: a yes
 * covers no other. */
export function fitsQuestion(calls: readonly Arguments[]): boolean {
  let left = MOST_TEXT;
  return calls.every((call) => {
    left -= callLines(call).join("\n").length;
    return left >= 0;
  });
}

/** Writes the question about a plan, in rows of so many columns. Foreign text stands in rows that begin
 * with `  | `, or behind words of ours. */
export function planQuestionText(plan: ShownPlan, columns = ROW): string {
  const { length } = plan.calls;
  const which = length === 1 ? "this call" : `these ${length} calls`;
  return `Allow ${which}?\n${planText(plan, columns)}`;
}

/** Writes a plan: the calls, numbered from 1, and how far it can be relied on. */
export function planText({ calls, uncertain, incomplete }: ShownPlan, columns = ROW): string {
  if (calls.length === 0 && !incomplete) return "The program would change nothing.";
  const lines: string[] = [];
  calls.forEach((call, at) => {
    if (calls[at - 1]?.tool !== call.tool) lines.push(...headLines(call.tool, columns));
    const place = call.line === null ? "" : ` line ${call.line}`;
    lines.push(`  ${at + 1}.${place}`, ...callLines(call, columns));
  });
  if (uncertain) {
    lines.push(
      "Later calls may depend on results that are not there yet: another call is asked " +
        "about when it is made.",
    );
  }
  if (incomplete) lines.push("The program failed while it was planned: it may call more.");
  return lines.join("\n");
}

function headLines(tool: string, columns: number): readonly string[] {
  if (isPlainName(tool)) return [`${tool}:`];
  return ["A tool of this name:", ...setOff([shorten(tool, MOST_CHARACTERS)], { columns })];
}

/** Writes one call as a choice, in one line. */
export function callText({ tool, arguments: args, line }: RunPlan["calls"][number]): string {
  const place = line === null ? "" : ` (line ${line})`;
  return `${nameText(tool)}${place} ${cut(jsonOf(args))}`;
}

function callLines({ arguments: args, because }: Arguments, columns = ROW): readonly string[] {
  const room = columns - 2;
  return [...argumentLines(args, room), ...reasonLines(because, room)].map((text) => `  ${text}`);
}

/** JSON with escapes for what cannot be seen. */
function jsonOf(args: RunPlan["calls"][number]["arguments"]): string {
  return escapeUnseen(JSON.stringify(args));
}

function cut(json: string): string {
  if (json.length <= MOST_CHARACTERS) return json;
  return `${json.slice(0, MOST_CHARACTERS)}… (${json.length - MOST_CHARACTERS} more characters)`;
}
