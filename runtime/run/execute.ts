/** The stage of execution: a program in its process, its calls, and the reply to it. */

import { countParts, type Log, sizeAsJson } from "#base";
import type { Look, RefusedCall, Registry } from "#packs";
import type { ExecuteOptions, Execution } from "#sandbox";
import type { ReadyProgram } from "../program/types.ts";
import { neutralize, type ReplyWriter } from "../reply/mod.ts";
import type { Shapes } from "../shapes/mod.ts";
import { FINDING_LEVELS } from "../validate/types.ts";
import { createRunQuestions, type RunQuestions } from "./approval/run_questions.ts";
import type { Inbox } from "../inbox/mod.ts";
import type { Confirmations } from "./approval/confirmations.ts";
import { refusedText } from "./approval/refused_text.ts";
import { confirmLater } from "./approval/confirm_later.ts";
import { type AnswerCall, type CallLimits, createRunCalls, type RunCalls } from "./calls/calls.ts";
import { createRunPeer } from "./calls/peer.ts";
import type { Planner } from "./plan/planner.ts";
import { markForeign, replyTo } from "./reply.ts";
import type { Stage } from "./stage.ts";
import { timeExecution } from "./traced.ts";
import type { RunReply } from "./types.ts";

/** Refused calls that one reply lists. */
const MOST_REFUSED = 100;
/** Bytes of their arguments, as a number of the largest calls. */
const SIZES_REFUSED = 2;
/** Bytes for each list, object and key in these arguments: those of any one call have room. */
const BYTES_OF_REFUSED_PART = 5;

/** Calls that a look has refused. */
interface Refused {
  readonly calls: RefusedCall[];
  total: number;
  /** Bytes and parts of arguments for which there is room yet. */
  bytes: number;
  parts: number;
}

export interface RunSettings extends CallLimits {
  /** Bytes of the arguments of one call. */
  readonly callBytes: number;
  readonly timeoutMs: number;
  /** Strict refuses a run that could not be checked. */
  readonly check: "warn" | "strict";
  /** Replies that are sanitized without a request for it: none, or those with text from outside. */
  readonly sanitize?: "off" | "external";
  /** `plan`: one question about all calls of a program, before it runs. */
  readonly approve?: "call" | "plan";
}

export interface ExecuteDeps {
  /** Answers the calls that programs make over their own pipes. */
  readonly answerCall: AnswerCall;
  /** Types of results that are learned. */
  readonly shapes: Pick<Shapes, "resultOf" | "settle">;
  readonly registry: Registry;
  readonly writer: ReplyWriter;
  readonly confirmations: Confirmations;
  readonly inbox: Inbox;
  /** Current settings: the configuration can be reloaded. */
  readonly settings: () => RunSettings;
  readonly log: Log;
  readonly now: () => number;
  /** Calls of the programs under way, by the secrets of their processes. */
  readonly running: Map<string, RunCalls>;
}

/** Executes a program that was approved, beside its check, and returns the reply. */
export async function execute(stage: Stage, deps: ExecuteDeps): Promise<RunReply> {
  const { request, lease, record, approval, options } = stage;
  const questions = questionsOf(stage);
  const bytes = SIZES_REFUSED * deps.settings().callBytes;
  const room = { bytes, parts: Math.floor(bytes / BYTES_OF_REFUSED_PART) };
  const refused: Refused = { calls: [], total: 0, ...room };
  const look = request.look ? lookInto(refused, options.look) : undefined;
  const calls = callsOf(stage, { questions, look }, deps);
  deps.running.set(lease.secret, calls);
  try {
    const execution = await timeExecution(record.span, () => executeIn(stage, calls, deps));
    const call = questions.unconfirmed();
    const unconfirmed = call && await confirmLater({
      request,
      repeatable: options.repeatable === true,
      confirmations: deps.confirmations,
      keeper: stage.keeper,
      inbox: deps.inbox,
      approved: approval.calls,
      unconfirmed: call,
    });
    const parts = { ...deps, sanitizePolicy: deps.settings().sanitize, calls, stage };
    const reply = await replyTo(execution, { ...parts, unconfirmed });
    return withRefused(reply, refused, (text) => markForeign(text, parts));
  } finally {
    deps.running.delete(lease.secret);
    calls.end();
  }
}

/** End of a planned program, and the tools that it called. */
export interface PlannedExecution extends Execution {
  readonly calls: Pick<RunCalls, "external" | "tools">;
}

/** Executes a program whose calls are planned. */
export async function executePlanned(
  stage: Stage,
  deps: ExecuteDeps & { readonly planner: Planner },
): Promise<PlannedExecution> {
  const { lease } = stage;
  const { planner } = deps;
  const questions = questionsOf(stage);
  const options = { ...stage.options, planned: planner.hooks };
  const planned = { ...stage, options };
  const calls = callsOf(planned, { questions, look: undefined }, deps);
  deps.running.set(lease.secret, { ...calls, call: unwatched(calls, planner) });
  try {
    const onStandInUsed = () => planner.used();
    return { ...await executeIn(planned, calls, { ...deps, onStandInUsed }), calls };
  } finally {
    deps.running.delete(lease.secret);
    calls.end();
  }
}

function questionsOf({ lease, approval: { approvals }, person, options }: Stage): RunQuestions {
  return createRunQuestions({
    approvals,
    person,
    outer: options.insteadWithin,
    pause: () => lease.pause(),
    end: () => lease.end({ kind: "cancelled" }), // the reply says why
  });
}

/** Replaces `call` for calls over a connection: no use of their stand-ins is seen, so each counts
 * as used. */
function unwatched(calls: RunCalls, planner: Planner): RunCalls["call"] {
  return async (call, signal) => {
    const result = await calls.call(call, signal);
    if (result.standIn) planner.used();
    return result;
  };
}

/** Collects the first calls that a look refuses, as far as there is room; the look around it is told
 * of them, too. */
function lookInto(refused: Refused, outer: Look | undefined): Look {
  return (call) => {
    if (refused.calls.length < MOST_REFUSED && takesRoom(refused, call)) refused.calls.push(call);
    refused.total++;
    outer?.(call);
  };
}

function takesRoom(refused: Refused, { arguments: args }: RefusedCall): boolean {
  const bytes = sizeAsJson(args, refused.bytes);
  const parts = countParts(args, refused.parts);
  if (bytes > refused.bytes || parts > refused.parts) return false;
  refused.bytes -= bytes;
  refused.parts -= parts;
  return true;
}

/** Adds the calls that a look refused. */
function withRefused(
  reply: RunReply,
  { calls: refused, total }: Refused,
  mark: (text: string) => string,
): RunReply {
  if (total === 0) return reply;
  // The arguments may be foreign text, and this part is outside of the reply's boundary.
  const text = `${reply.text}\n\n${mark(neutralize(refusedText(refused, total)))}`;
  return { ...reply, text, refused, ...(total > refused.length ? { refused_total: total } : {}) };
}

function callsOf(
  stage: Stage,
  { questions, look }: { readonly questions: RunQuestions; readonly look: Look | undefined },
  deps: ExecuteDeps,
): RunCalls {
  const { lease, record, program, options } = stage;
  return createRunCalls({
    registry: deps.registry,
    lease,
    limits: deps.settings(),
    ready: stage.ready,
    signal: stage.signal,
    questions,
    planned: options.planned,
    peer: createRunPeer({
      pause: () => lease.pause(),
      client: options.peer,
      inTurn: questions.inTurn,
      onEvent: record.event,
    }),
    look,
    origin: stage.origin,
    span: record.span,
    warned: warnedNames(program),
    onWarning(message) {
      record.warn(message);
      deps.log("warning", message);
    },
    onEvent: record.event,
    now: deps.now,
  });
}

function executeIn(
  stage: Stage,
  calls: RunCalls,
  { onStandInUsed, ...deps }: ExecuteDeps & Pick<ExecuteOptions, "onStandInUsed">,
): Promise<Execution> {
  const { lease, program, request, options, record, signal, ready } = stage;
  return lease.execute(program.program, {
    ready,
    cwd: request.cwd,
    args: request.kind === "script" ? request.args : [],
    timeoutMs: Math.min(request.timeoutMs ?? Infinity, deps.settings().timeoutMs),
    stdin: request.stdin,
    traced: options.planned !== undefined,
    onCall: ({ name, body, from }) => {
      const line = from && program.locate({ file: program.program.entry, ...from }).line;
      return deps.answerCall({ name, body }, (call) => calls.call({ ...call, line }, signal));
    },
    onOutput: record.output,
    onStandInUsed,
    signal,
  });
}

function warnedNames({ validation }: ReadyProgram): ReadonlySet<string> {
  return new Set(
    validation.findings.flatMap(({ level, name }) =>
      FINDING_LEVELS[level] === "warn" && name ? [name] : []
    ),
  );
}
