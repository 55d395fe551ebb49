/** Form in which an MCP client shows a plan: all calls, some of them, or none. */

import type { JsonObject } from "#base";
import { callText, type GivenAnswer, planQuestionText, type WaitingQuestion } from "#runtime";

const ALLOW = "allow";
const CALLS = "calls";
/** Calls that can be chosen from; of more, all or none. */
const MOST_CHOICES = 100;

/** Builds the parameters of the form, without defaults: some clients send them for a person who chose
 * nothing. Older clients know no choice of several. */
export function planForm(
  question: WaitingQuestion,
  { hasChoice = true }: { readonly hasChoice?: boolean } = {},
): JsonObject {
  const { calls = [], uncertain = false, incomplete = false } = question;
  const choices = calls.map((call, at) => ({
    const: `${at}`,
    title: `${at + 1}. ${callText(call)}`,
  }));
  const selection: JsonObject = {
    type: "array",
    title: "Calls",
    description: "Only these calls; the others are refused",
    items: { anyOf: choices },
  };
  return {
    mode: "form",
    message: planQuestionText({ calls, uncertain, incomplete }),
    requestedSchema: {
      type: "object",
      properties: {
        [ALLOW]: {
          type: "string",
          title: "Allow",
          oneOf: [{ const: "all", title: "Allow these calls" }, { const: "no", title: "Refuse" }],
        },
        ...(hasChoice && calls.length <= MOST_CHOICES ? { [CALLS]: selection } : {}),
      },
      required: [ALLOW],
    },
  };
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
