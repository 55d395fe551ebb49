/** Questions as they wait, and the answers that fit them. */

import type { GivenAnswer, OpenQuestion, WaitingQuestion } from "./types.ts";

export interface WaitingOptions {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly waitMs: number;
}

/** Latest time that a date can hold. */
const MOST_TIME = 8.64e15;

/** Builds the form in which a question is listed. */
export function waitingQuestion(
  question: OpenQuestion,
  { id, now, waitMs }: WaitingOptions,
): WaitingQuestion {
  return {
    id,
    run: question.run ?? null,
    kind: question.kind,
    ...aboutOf(question),
    because: question.because ?? null,
    asked_at: new Date(now).toISOString(),
    expires_at: new Date(Math.min(now + waitMs, MOST_TIME)).toISOString(),
  };
}

function aboutOf(question: OpenQuestion) {
  switch (question.kind) {
    case "call": {
      const { tool, arguments: args, line = null, code } = question;
      return { tool, arguments: args, line, ...(code ? { code } : {}) };
    }
    case "plan": {
      const calls = question.calls.map(({ line = null, ...call }) => ({ ...call, line }));
      return { calls, line: null, uncertain: question.uncertain, incomplete: question.incomplete };
    }
    case "sign_in": {
      const { server, account, url } = question;
      return { server, url, line: null, ...(account === undefined ? {} : { account }) };
    }
    default:
      throw question satisfies never;
  }
}

/** Returns true for an answer that this question can have. */
export function fits({ allow, calls }: GivenAnswer, question: WaitingQuestion): boolean {
  if (allow === "no") return true;
  if (question.kind === "call") return allow === "call" || allow === "run";
  if (question.kind === "sign_in" || allow !== "all") return false;
  const count = question.calls?.length ?? 0;
  return calls?.every((place) => Number.isInteger(place) && place >= 0 && place < count) ?? true;
}
