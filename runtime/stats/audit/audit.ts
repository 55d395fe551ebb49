/** Audit: every question to a person and its answer, every refusal, every token that was lent. */

import { isObject, type JsonObject, sizeAsJson } from "#base";
import { type CallEnd, PackError, type StartedCall } from "#packs";
import type { AnswerSource, InboxEvent, WaitingQuestion } from "../../inbox/mod.ts";
import { questionOf } from "../../run/approval/call_keeper.ts";
import type { Confirmed } from "../../run/approval/confirmations.ts";
import type { EndedRun } from "../../run/run.ts";
import type { Question } from "../../run/types.ts";
import type { RejectedRun } from "../../run/watched.ts";

export const AUDIT_KINDS = ["question", "answer", "refusal", "loan"] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** One event; `details` hold the arguments, the reason, the rule or the pattern. */
export interface AuditEvent {
  readonly kind: AuditKind;
  readonly run?: string;
  readonly client?: string;
  /** `github.delete_repo`; the server of a sign-in or a loan; empty for a program as a whole. */
  readonly tool: string;
  /** Of an answer: `call`, `run`, `all`, `some`, `trust`, `no`, `expired`. */
  readonly answer?: string;
  /** Place that the answer came from: `client`, `terminal`, `page`, `http`. */
  readonly from?: string;
  /** Error code of a refusal. */
  readonly code?: string;
  readonly details?: JsonObject;
}

/** Event as it is kept. */
export interface AuditRow extends Readonly<Record<string, string | number | null>> {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: AuditKind;
  readonly run: string | null;
  readonly client: string | null;
  readonly tool: string;
  readonly answer: string | null;
  readonly from: string | null;
  readonly code: string | null;
  /** JSON text without secrets; null where there is nothing more to say. */
  readonly details: string | null;
}

const REFUSALS: ReadonlySet<string> = new Set(["blocked", "read_only", "needs_confirmation"]);
/** Details that say why. */
const REASONS = ["reason", "rule", "pattern", "effect", "changes"] as const;
const MOST_DETAILS = 2_000;

/** The refusal of a call; undefined for any other end. */
export function refusedCall(
  { origin, wire }: StartedCall,
  end: CallEnd,
): AuditEvent | undefined {
  if (!("error" in end) || !(end.error instanceof PackError)) return undefined;
  const { code, details, message } = end.error;
  if (!REFUSALS.has(code)) return undefined;
  const tool = end.entry ? `${end.entry.pack}.${end.entry.tool}` : wire.replace("__", ".");
  const { run, client } = origin ?? {};
  return { kind: "refusal", run, client, tool, code, details: reasonsOf(details, message) };
}

/** The refusal of a run that made no call: what stopped it was seen in its code. */
export function refusedRun({ reply, client }: EndedRun): AuditEvent | undefined {
  const { run, calls, error } = reply;
  if (!error || calls > 0 || !REFUSALS.has(error.code)) return undefined;
  const { code, tool = "", details, message } = error;
  return { kind: "refusal", run, client, tool, code, details: reasonsOf(details, message) };
}

/** The refusal of a run that was not accepted, since a call of it must be confirmed. */
export function rejectedRun({ error, run, client }: RejectedRun): AuditEvent | undefined {
  const { code, message, details } = error;
  if (!REFUSALS.has(code)) return undefined;
  const calls = questionsIn(details);
  const reasons = { ...reasonsOf(details, message), ...listed(calls) };
  return { kind: "refusal", run, client, tool: toolOf(calls), code, details: reasons };
}

function questionsIn({ calls }: JsonObject): readonly Question[] {
  return Array.isArray(calls) ? calls as readonly Question[] & typeof calls : [];
}

function reasonsOf(details: unknown, message: string): JsonObject {
  const fields: JsonObject = isObject(details) ? details as JsonObject : {};
  const reasons = REASONS.flatMap((name) => {
    const value = fields[name];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(reasons), message };
}

export interface RowOptions {
  readonly at: number;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** The row of an event. Text that is too long is cut. */
export function auditRow(event: AuditEvent, { at, redact }: RowOptions): AuditRow {
  const { kind, run = null, client = null, tool, answer = null, from = null, code = null } = event;
  const details = event.details ? cut(redact(JSON.stringify(event.details))) : null;
  return { at, kind, run, client, tool: tool.slice(0, 300), answer, from, code, details };
}

function cut(text: string): string {
  return text.length > MOST_DETAILS ? `${text.slice(0, MOST_DETAILS)}…` : text;
}

/** The question for trust in the project, and its answer. */
export function auditOfTrust(isTrusted: boolean, from: AnswerSource["via"]): AuditEvent[] {
  const answer = isTrusted ? "trust" : "no";
  const about = { tool: "", details: { kind: "trust" } };
  return [{ kind: "question", ...about }, { kind: "answer", ...about, answer, from }];
}

/** Calls of a plan that are kept with its question. */
const MOST_CALLS = 50;
/** Characters of calls that are written for one event: more than are kept, since secrets are taken out
 * of them. */
const MOST_WRITTEN = 50_000;

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
      const source = { answer: isSome ? "some" : allow, from: via, client };
      return { kind: "answer", ...about, ...source, ...(isSome ? { details: { calls } } : {}) };
    }
  }
}

/** The audit of calls that a client confirmed in its next request. */
export function auditOfConfirmation(
  { run, client, calls, allow = "call" }: Confirmed,
): AuditEvent {
  const from: AnswerSource["via"] = "http";
  const first = firstOf(calls, ({ text }) => text.length).map(questionOf);
  const details = listed(first, calls.length);
  return { kind: "answer", run, client, tool: toolOf(calls), answer: allow, from, details };
}

type PlannedRow = NonNullable<WaitingQuestion["calls"]>[number];

/** The one tool of these calls; empty where there are several. */
function toolOf(calls: readonly Pick<Question, "tool">[]): string {
  const [tool = "", ...more] = new Set(calls.map(({ tool }) => tool));
  return more.length === 0 ? tool : "";
}

function listed(calls: readonly (Question | PlannedRow)[], count = calls.length): JsonObject {
  const first = firstOf(calls, (call) => sizeAsJson(call.arguments, MOST_WRITTEN));
  return { calls: first.map((call) => ({ ...call })), count };
}

/** The first calls, as far as a text can show them. */
function firstOf<Call>(calls: readonly Call[], sizeOf: (call: Call) => number): readonly Call[] {
  let size = 0;
  return calls.slice(0, MOST_CALLS).filter((call) => {
    if (size > MOST_WRITTEN) return false;
    size += sizeOf(call);
    return true;
  });
}

function detailsOf({ kind, arguments: args, line, because, calls }: WaitingQuestion): JsonObject {
  return {
    kind,
    ...(because === null ? {} : { because }),
    ...(line === null ? {} : { line }),
    ...(args === undefined ? {} : { arguments: args }),
    ...(calls === undefined ? {} : listed(calls)),
  };
}
