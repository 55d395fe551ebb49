/** Form in which an MCP client shows a plan: all calls, some of them, or none. */

import { createTurns, type JsonObject } from "#base";
import { callText, type GivenAnswer, type WaitingQuestion, writePlanQuestion } from "#runtime";

const ALLOW = "allow";
const CALLS = "calls";
/** Calls that can be chosen from; of more, all or none. */
const MOST_CHOICES = 100;

export interface FormOptions {
  readonly signal: AbortSignal;
  /** False for a client that knows no choice of several. */
  readonly hasChoice?: boolean;
}

/** Builds the parameters of the form, without defaults: some clients send them for a person who chose
 * nothing. Older clients know no choice of several. */
export async function planForm(
  question: WaitingQuestion,
  { signal, hasChoice = true }: FormOptions,
): Promise<JsonObject> {
  const { calls = [], uncertain = false, incomplete = false } = question;
  const isChosen = hasChoice && calls.length <= MOST_CHOICES;
  const choices = isChosen ? await choicesOf(calls, signal) : [];
  const selection: JsonObject = {
    type: "array",
    title: "Calls",
    description: "Only these calls; the others are refused",
    items: { anyOf: choices },
  };
  return {
    mode: "form",
    message: await writePlanQuestion({ calls, uncertain, incomplete }, signal),
    requestedSchema: {
      type: "object",
      properties: {
        [ALLOW]: {
          type: "string",
          title: "Allow",
          oneOf: [{ const: "all", title: "Allow these calls" }, { const: "no", title: "Refuse" }],
        },
        ...(isChosen ? { [CALLS]: selection } : {}),
      },
      required: [ALLOW],
    },
  };
}

async function choicesOf(
  calls: NonNullable<WaitingQuestion["calls"]>,
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const turn = createTurns(signal);
  const choices: JsonObject[] = [];
  for (const [at, call] of calls.entries()) {
    choices.push({ const: `${at}`, title: `${at + 1}. ${callText(call)}` });
    await turn();
  }
  return choices;
}

/** Reads the answer; everything but an explicit yes is a no. */
export function readPlanForm(
  content: Readonly<Record<string, unknown>>,
  { calls = [] }: WaitingQuestion,
): GivenAnswer {
  const { [ALLOW]: allow, [CALLS]: chosen } = content;
  if (allow !== "all") return { allow: "no" };
  if (chosen === undefined || calls.length > MOST_CHOICES) return { allow: "all" };
  if (!Array.isArray(chosen)) return { allow: "no" };
  const places = calls.map((_, at) => `${at}`);
  return { allow: "all", calls: chosen.map((place) => places.indexOf(place)) };
}
