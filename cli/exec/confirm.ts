/** Questions of a run to the person at the terminal. */

import { isObject } from "#base";
import { reasonText, stopAsking } from "#packs/unconfirmed";
import type { Answer, GivenAnswer, Question, RunReply } from "#runtime";
import { planQuestionText, type ShownPlan } from "#runtime/plan";
import { argumentLines, nameText, questionText } from "#runtime/question";
import type { GatewayError, StreamedEvent } from "../client.ts";
import type { Context } from "../context.ts";
import { promptName, promptNames } from "../terminal/names.ts";
import { CliError } from "../error.ts";

export interface Confirm {
  /** Asks for permission of a call; every answer but an explicit yes is a no. */
  ask(event: StreamedEvent, signal: AbortSignal): Promise<Answer>;
  /** Asks about all calls of a program; every answer but an explicit yes is a no. */
  askPlan(event: StreamedEvent, signal: AbortSignal): Promise<GivenAnswer>;
  /** True if the person declined a call of this tool. */
  declined(tool: string | undefined): boolean;
}

export interface FailureOptions {
  readonly confirm?: Confirm;
  /** True where the command has waited for the page. */
  readonly waits: boolean;
}

const PLAN_PROMPT = "[a]ll, numbers like 1,3, [N]o: ";
/** Name of a plan among what was declined. */
const PLAN = "";
const PROMPT = "[y]es, this tool for the [r]un, [N]o: ";
const MOST_NAMES = 5;

/** Builds the questions; undefined without a terminal. */
export function createConfirm({ io, print }: Context): Confirm | undefined {
  const { person } = io;
  if (!person) return undefined;
  const declined = new Set<string>();
  return {
    declined: (tool = PLAN) => declined.has(tool),
    async askPlan(event, signal) {
      const plan = planOf(event);
      const text = (columns: number) => planQuestionText(plan, columns);
      const names = promptNames([...new Set(plan.calls.map(({ tool }) => tool))], MOST_NAMES);
      const count = plan.calls.length === 1 ? "1 call" : `${plan.calls.length} calls`;
      const prompt = `${count} of ${names}: ${PLAN_PROMPT}`;
      const line = await print.ask({ text, prompt }, { person, signal });
      const answer = planAnswerOf(line, plan.calls.length);
      if (answer.allow === "no" && !signal.aborted) declined.add(PLAN);
      return answer;
    },
    async ask(event, signal) {
      const question = questionOf(event);
      const text = (columns: number) => questionText(question, columns);
      const prompt = `${promptName(question.tool)}: ${PROMPT}`;
      const answer = answerOf(await print.ask({ text, prompt }, { person, signal }));
      if (answer === "no" && !signal.aborted) declined.add(question.tool);
      return answer;
    },
  };
}

/** Converts the refusal of the gateway to an error with advice for the command line. */
export function unconfirmed(error: GatewayError, waits: boolean): CliError {
  const calls = Array.isArray(error.details.calls) ? error.details.calls.filter(isObject) : [];
  const names = calls.map(({ tool, line }) => placeText(String(tool), line));
  const { pattern } = error.details;
  const matches = typeof pattern === "string" ? ` (matches '${pattern}')` : "";
  const what = names.length === 0 ? "a call" : names.slice(0, 5).join(", ");
  const reason = calls.find(({ because }) => typeof because === "string")?.because;
  const since = reasonText(typeof reason === "string" ? reason : undefined);
  const message = `Cannot run: ${what} must be confirmed${matches}${since}: ` +
    wayOut(error.details, waits);
  return new CliError(1, message, { cause: error });
}

/** Builds the text of a failed run for a person. */
export function failureText(
  { text, error, calls: count }: RunReply,
  { confirm, waits }: FailureOptions,
): string {
  if (error?.code === "needs_confirmation") {
    const { calls } = error.details;
    const call = Array.isArray(calls) ? calls.findLast(isObject) : undefined;
    const argumentText = call
      ? ["It would be called with:", ...argumentLines(argumentsOf(call.arguments))]
      : [];
    return [error.message, ...argumentText, `To allow it, ${wayOut(error.details, waits)}`].join(
      "\n",
    );
  }
  const isDeclined = error?.code === "blocked" && error.details.reason === "declined";
  if (!isDeclined || !confirm?.declined(error.tool)) return text;
  const state = count === 0 ? "nothing of the program ran" : "the program ended there";
  if (error.tool === undefined) return "You declined all of it: nothing of the program ran";
  return `You declined the call of ${placeText(error.tool ?? "", error.line)}: ${state}`;
}

/** Advice for a person without a terminal. */
function wayOut(
  { page, pattern, reason }: Readonly<Record<string, unknown>>,
  waits: boolean,
): string {
  const wait = typeof page === "string"
    ? `, or with --wait (It can be answered at ${page})`
    : waits && reason !== "look"
    ? ", or set security.page to true: --wait waits for the page"
    : "";
  const change = stopAsking(typeof pattern === "string" ? pattern : undefined);
  const ask = reason === "look" ? "run it without --look" : "run it on a terminal to be asked";
  return `${ask}${wait}, or ${change}`;
}

function placeText(tool: string, line: unknown): string {
  const place = typeof line === "number" ? ` at line ${line}` : "";
  return `"${nameText(tool)}"${place}`;
}

function questionOf(event: StreamedEvent): Question {
  const { kind, tool, arguments: args, line, because } = event;
  return {
    ...(kind === "code" ? { kind } : {}),
    tool: String(tool),
    arguments: argumentsOf(args),
    ...(typeof line === "number" ? { line } : {}),
    ...(typeof because === "string" ? { because } : {}),
  };
}

function planOf({ calls, uncertain, incomplete }: StreamedEvent): ShownPlan {
  const list = Array.isArray(calls) ? calls.filter(isObject) : [];
  return {
    calls: list.map(({ tool, arguments: args, line, effect, because }) => ({
      tool: String(tool),
      arguments: argumentsOf(args),
      line: typeof line === "number" ? line : null,
      effect: String(effect),
      ...(typeof because === "string" ? { because } : {}),
    })),
    uncertain: uncertain === true,
    incomplete: incomplete === true,
  };
}

/** Reads `a`, or the numbers of calls, counted from 1. */
function planAnswerOf(line: string | null, count: number): GivenAnswer {
  const text = line?.trim().toLowerCase() ?? "";
  if (text === "a" || text === "all") return { allow: "all" };
  if (!/^\d+([\s,]+\d+)*$/.test(text)) return { allow: "no" };
  const calls = [...new Set(text.split(/[\s,]+/).map((number) => Number(number) - 1))];
  return calls.every((at) => at >= 0 && at < count) ? { allow: "all", calls } : { allow: "no" };
}

function argumentsOf(args: unknown): Question["arguments"] {
  return isObject(args) ? args as Question["arguments"] : {};
}

function answerOf(line: string | null): Answer {
  const word = line?.trim().toLowerCase() ?? "";
  if (["y", "yes", "c", "call"].includes(word)) return "call";
  return word === "r" || word === "run" ? "run" : "no";
}
