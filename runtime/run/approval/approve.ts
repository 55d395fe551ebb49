/** Decides about the findings of validation before anything runs: refused, or put to a person. */

import { abortable, type JsonObject } from "#base";
import {
  type CallOrigin,
  PackError,
  reasonText,
  type Registry,
  stopAsking,
  type ToolEntry,
  unconfirmedState,
} from "#packs";
import { LEVELS, SEEN_IN_CODE } from "#packs/policy";
import type { Validation } from "../../validate/types.ts";
import type { Inbox } from "../../inbox/mod.ts";
import { type Approvals, createApprovals, without } from "./approvals.ts";
import type { CallKeeper, KeptCall } from "./call_keeper.ts";
import { type Confirmations, subjectOfRun } from "./confirmations.ts";
import { cancelledEarly, RunRefused } from "../errors.ts";
import { type Explained, explained } from "../problem/problem.ts";
import { pageOf } from "./person.ts";
import { nameText } from "./question_text.ts";
import type { RunRecord } from "../record.ts";
import { explainBlocked } from "../problem/explain_refusal.ts";
import { literalCalls, type LiteralQuestion } from "./literal_calls.ts";
import type { Ask, Question, RunRequest } from "../types.ts";

export interface ApproveOptions {
  readonly request: RunRequest;
  /** Name of the program where a finding names no module. */
  readonly file: string;
  /** Missing where no person can be asked. */
  readonly ask?: Ask;
  /** True if the request can be sent again with a confirmation. */
  readonly repeatable: boolean;
  /** Calls that were approved with a plan. */
  readonly planned?: readonly KeptCall[];
  /** True where the calls of the program are planned: only builtins and modules are asked about. */
  readonly defers?: boolean;
  readonly confirmations: Confirmations;
  readonly keeper: CallKeeper;
  readonly inbox: Pick<Inbox, "address">;
  readonly entries: () => readonly ToolEntry[];
  readonly decide: Registry["decide"];
  readonly origin: CallOrigin;
  /** Throws if the program cannot run for another reason, before a person is asked. */
  readonly beforeQuestions: () => Promise<void> | undefined;
  readonly record: Pick<RunRecord, "started">;
  readonly signal: AbortSignal;
}

export type Approval =
  | {
    readonly kind: "approved";
    readonly approvals: Approvals;
    /** Everything that was approved, for a confirmation that adds to it. */
    readonly calls: readonly KeptCall[];
  }
  | { readonly kind: "refused"; readonly explained: Explained };

/** Decides if a program may begin. Throws `RunRefused("needs_confirmation")` where it must be
 * confirmed and no person can be asked. */
export async function approve(validation: Validation, options: ApproveOptions): Promise<Approval> {
  const refused = explainBlocked(validation, options.file);
  if (refused) return { kind: "refused", explained: refused };
  const { questions: all, lines } = literalCalls(validation, options.entries);
  const questions: LiteralQuestion[] = [];
  for (const question of all) questions.push(...await judged(question, options));
  const { request, planned = [], keeper: { keyOf } } = options;
  const approvals = createApprovals({ keyOf, lines });
  if (questions.length + planned.length === 0 && request.confirm === undefined) {
    return { kind: "approved", approvals, calls: [] };
  }
  await options.beforeQuestions();
  const confirmed = await takeConfirmed(options);
  return await askAbout({ questions, confirmed, approvals }, options);
}

/** Judges a call with its arguments: nothing where it is not asked about, or refused when it is
 * made. */
async function judged(
  question: LiteralQuestion,
  { defers, request, origin, signal, decide }: ApproveOptions,
): Promise<readonly LiteralQuestion[]> {
  const { entry, question: call } = question;
  if (defers && call.kind !== "code") return [];
  // A tool that is not known yet is judged when it is called.
  if (!entry) return question.pattern === SEEN_IN_CODE ? [] : [question];
  if (request.look && entry.effect !== "read") return [];
  const deciding = decide(entry, { args: call.arguments, origin, signal });
  const { level, pattern, rule, because } = await abortable(deciding, signal, {
    onAbort: cancelledEarly,
  });
  if (level === "allowed" || LEVELS[level] !== "ask") return [];
  const reason = because === undefined ? {} : { because };
  return [{ ...question, question: { ...call, ...reason }, pattern, rule }];
}

/** Calls that the confirmation in the request approves; empty without a valid one. */
async function takeConfirmed(
  { request, confirmations, planned = [], origin: { run, client } }: ApproveOptions,
): Promise<readonly KeptCall[]> {
  if (request.confirm === undefined) return planned;
  const subject = await subjectOfRun(request);
  const calls = confirmations.take(request.confirm, subject, { run, client }) ?? [];
  return [...planned, ...calls];
}

interface Pending {
  readonly questions: readonly LiteralQuestion[];
  readonly confirmed: readonly KeptCall[];
  readonly approvals: Approvals;
}

async function askAbout(
  { questions, confirmed, approvals }: Pending,
  options: ApproveOptions,
): Promise<Approval> {
  const { record, ask, signal } = options;
  const calls = [...confirmed];
  const pending = without(await keptOf(questions, options), confirmed);
  if (pending.length > 0 && !ask) throw await refusal({ questions, confirmed, pending }, options);
  for (const { question: call, ...kept } of ask ? pending : []) {
    if (approvals.isWidened(call.tool)) continue;
    record.started();
    const answer = ask &&
      await abortable(ask(call, signal), signal, { onAbort: cancelledEarly }).catch(refusedAs);
    if (answer === "run") approvals.widen(call.tool);
    else if (answer === "call") calls.push(kept);
    else return { kind: "refused", explained: explainDeclined(call, questions, answer) };
  }
  for (const call of calls) approvals.add(call);
  return { kind: "approved", approvals, calls };
}

/** A question, and the call as it is kept. */
type PendingCall = KeptCall & Pick<LiteralQuestion, "question">;

async function keptOf(
  questions: readonly LiteralQuestion[],
  { keeper, signal }: ApproveOptions,
): Promise<PendingCall[]> {
  const kept = questions.map(async ({ question }) => {
    return { ...await keeper.keep(question, signal), question };
  });
  return await abortable(Promise.all(kept), signal, { onAbort: cancelledEarly });
}

interface Unconfirmed {
  readonly questions: readonly LiteralQuestion[];
  readonly confirmed: readonly KeptCall[];
  readonly pending: readonly PendingCall[];
}

async function refusal(
  { questions, confirmed, pending }: Unconfirmed,
  { request, repeatable, confirmations, keeper, inbox }: ApproveOptions,
): Promise<RunRefused> {
  const questioned = pending.map(({ question }) => question);
  const needed = [...await keeper.read(confirmed), ...questioned];
  const kept = [...confirmed, ...pending.map(({ question: _, ...call }) => call)];
  const patterns = [...new Set(questions.flatMap(({ pattern }) => pattern ?? []))];
  const stale = request.confirm !== undefined && confirmed.length === 0
    ? "; the confirmation that came with it is used, too old, or of another request"
    : "";
  const instead = request.look ? "make the call in a run, or " : "";
  const again = repeatable ? 'send it again with the id in details.confirm as "confirm", or ' : "";
  const state = unconfirmedState(patterns, {
    need: `${listed(questioned)} must be confirmed`,
    because: needed.find(({ because }) => because !== undefined)?.because,
  });
  const message = `Cannot run: ${state}${stale}: ${instead}${again}${stopAsking(patterns[0])}`;
  const rule = questions.find((question) => question.rule !== undefined)?.rule;
  const details: JsonObject = {
    ...(repeatable ? { confirm: confirmations.issue(await subjectOfRun(request), kept) } : {}),
    calls: needed.map((call) => ({ ...call })),
    pattern: patterns[0] ?? null,
    ...(rule === undefined ? {} : { rule }),
    ...pageOf(inbox, request),
  };
  return new RunRefused("needs_confirmation", message, { details });
}

const MOST_LISTED = 5;

function listed(calls: readonly Question[]): string {
  const names = calls.slice(0, MOST_LISTED).map(placeText);
  const more = calls.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function placeText({ tool, line }: Question): string {
  return `"${nameText(tool)}"${line === undefined ? "" : ` at line ${line}`}`;
}

/** Returns the refusal of a call without an answer; throws every other error. */
function refusedAs(error: unknown): PackError {
  if (error instanceof PackError && error.code === "blocked") return error;
  throw error;
}

function explainDeclined(
  call: Question,
  questions: readonly LiteralQuestion[],
  refusal: PackError | "no" | undefined,
): Explained {
  const { tool, line, because } = call;
  const { pattern = null, rule } = questions.find(({ question }) => question === call) ?? {};
  const message = refusal instanceof PackError
    ? refusal.message
    : `Cannot run: ${placeText(call)} was declined${reasonText(because)}: do without it, or ` +
      "explain why it is needed before it is asked for again";
  return explained({
    code: "blocked",
    name: "BlockedError",
    message,
    ...(line === undefined ? {} : { line }),
    tool,
    details: { reason: "declined", pattern, ...(rule === undefined ? {} : { rule }) },
  });
}
