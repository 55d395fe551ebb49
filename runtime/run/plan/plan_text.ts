/** Plans as a person reads them: the calls by tool, each with its number, its line and arguments. */

import { createTurns, escapeUnseen, ROW, setOff, shorten } from "#base";
import { argumentLines, isPlainName, nameText, reasonLines } from "../approval/question_text.ts";
import type { RunPlan } from "../types.ts";

export type ShownPlan = Pick<RunPlan, "calls" | "uncertain" | "incomplete">;
type Arguments = Pick<RunPlan["calls"][number], "arguments" | "because">;

/** Characters of a question. */
const MOST_TEXT = 250_000;
/** Characters of a call where it is one of several choices. */
const MOST_CHARACTERS = 160;

/** Resolves with true where one question can show all calls, each as a question of its own would: a
 * yes covers no other. */
export async function fitsQuestion(
  calls: readonly Arguments[],
  signal?: AbortSignal,
): Promise<boolean> {
  const turn = createTurns(signal);
  let left = MOST_TEXT;
  for (const call of calls) {
    left -= callLines(call).join("\n").length;
    if (left < 0) return false;
    await turn();
  }
  return true;
}

/** Writes the question about a plan, in rows of so many columns. Foreign text stands in rows that begin
 * with `  | `, or behind words of ours. */
export function planQuestionText(plan: ShownPlan, columns = ROW): string {
  return [...questionParts(plan, columns)].join("\n");
}

/** The same, while other work runs. */
export function writePlanQuestion(plan: ShownPlan, signal?: AbortSignal): Promise<string> {
  return joinInTurns(questionParts(plan), signal);
}

/** Writes a plan while other work runs: the calls, numbered from 1, and how far it can be relied on. */
export function writePlan(plan: ShownPlan, signal?: AbortSignal): Promise<string> {
  return joinInTurns(planParts(plan), signal);
}

async function joinInTurns(parts: Iterable<string>, signal?: AbortSignal): Promise<string> {
  const turn = createTurns(signal);
  const written: string[] = [];
  for (const part of parts) {
    written.push(part);
    await turn();
  }
  return written.join("\n");
}

function* questionParts(plan: ShownPlan, columns = ROW): Generator<string> {
  const { length } = plan.calls;
  yield `Allow ${length === 1 ? "this call" : `these ${length} calls`}?`;
  yield* planParts(plan, columns);
}

/** Lines of a plan, those of a call at once. */
function* planParts(
  { calls, uncertain, incomplete }: ShownPlan,
  columns = ROW,
): Generator<string> {
  if (calls.length === 0 && !incomplete) return yield "The program would change nothing.";
  for (const [at, call] of calls.entries()) {
    const head = calls[at - 1]?.tool === call.tool ? [] : headLines(call.tool, columns);
    const place = call.line === null ? "" : ` line ${call.line}`;
    yield [...head, `  ${at + 1}.${place}`, ...callLines(call, columns)].join("\n");
  }
  if (uncertain) {
    yield "Later calls may depend on results that are not there yet: another call is asked " +
      "about when it is made.";
  }
  if (incomplete) yield "The program failed while it was planned: it may call more.";
}

function headLines(tool: string, columns: number): readonly string[] {
  if (isPlainName(tool)) return [`${tool}:`];
  return ["A tool of this name:", ...setOff([shorten(tool, MOST_CHARACTERS)], { columns })];
}

/** Writes one call as a choice, in one line. */
export function callText({ tool, arguments: args, line }: RunPlan["calls"][number]): string {
  const place = line === null ? "" : ` (line ${line})`;
  return `${nameText(tool)}${place} ${cut(JSON.stringify(args))}`;
}

function callLines({ arguments: args, because }: Arguments, columns = ROW): readonly string[] {
  const room = columns - 2;
  return [...argumentLines(args, room), ...reasonLines(because, room)].map((text) => `  ${text}`);
}

/** The beginning of JSON, with escapes for what cannot be seen there; what is left out is counted. */
function cut(json: string): string {
  const isHalf = !json.slice(0, MOST_CHARACTERS).isWellFormed();
  const begin = json.slice(0, isHalf ? MOST_CHARACTERS + 1 : MOST_CHARACTERS);
  const escaped = escapeUnseen(begin);
  const left = escaped.length - MOST_CHARACTERS + json.length - begin.length;
  return left <= 0 ? escaped : `${escaped.slice(0, MOST_CHARACTERS)}… (${left} more characters)`;
}
