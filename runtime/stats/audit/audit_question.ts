/** Audit of questions to persons, and of their answers. */

import type { JsonObject } from "#base";
import type { AnswerSource, InboxEvent, WaitingQuestion } from "../../inbox/mod.ts";
import type { AuditEvent } from "./audit.ts";

/** Calls of a plan that are kept with its question. */
const MOST_CALLS = 50;

/** The audit of a question or of its end; undefined where the asker has gone before an answer. */
export function auditOfQuestion(event: InboxEvent): AuditEvent | undefined {
  const { question } = event;
  const about = { run: question.run ?? undefined, tool: question.tool ?? question.server ?? "" };
  if (event.type === "question") {
    return { kind: "question", ...about, details: detailsOf(question) };
  }
  const { answer } = event;
  switch (answer.allow) {
    case "withdrawn":
      return undefined;
    case "late":
      return { kind: "answer", ...about, answer: "expired" };
    case "done":
      return { kind: "answer", ...about, answer: "done" };
    default: {
      const { allow, calls, from: { via, client } } = answer;
      const isSome = allow === "all" && calls !== undefined &&
        calls.length < (question.calls?.length ?? 0);
      const source = { answer: isSome ? "some" : allow, from: PLACES[via], client };
      return { kind: "answer", ...about, ...source, ...(isSome ? { details: { calls } } : {}) };
    }
  }
}

const PLACES = {
  client: "elicitation",
  terminal: "terminal",
  http: "http",
  page: "page",
} satisfies Record<AnswerSource["via"], string>;

function detailsOf({ kind, arguments: args, line, because, calls }: WaitingQuestion): JsonObject {
  return {
    kind,
    ...(because === null ? {} : { because }),
    ...(line === null ? {} : { line }),
    ...(args === undefined ? {} : { arguments: args }),
    ...(calls === undefined ? {} : {
      calls: calls.slice(0, MOST_CALLS).map((call) => ({ ...call })),
      count: calls.length,
    }),
  };
}
