/** From how a program ended to the reply: its value as text, or what went wrong. */

import type { JsonValue } from "#base";
import type { Registry } from "#packs";
import type { Execution, Outcome } from "#sandbox";
import { type ReplyWriter, sanitize } from "../reply/mod.ts";
import type { Shapes } from "../shapes/mod.ts";
import type { RunCalls } from "./calls/calls.ts";
import { type Explained, explainOutcome } from "./problem/problem.ts";
import { withResults } from "./problem/results.ts";
import type { Stage } from "./stage.ts";
import type { RunProblem, RunReply } from "./types.ts";
import { withoutForgery } from "./approval/confirm_later.ts";

export interface ReplyParts {
  readonly calls: RunCalls;
  readonly stage: Stage;
  readonly writer: ReplyWriter;
  readonly registry: Registry;
  readonly shapes: Pick<Shapes, "resultOf" | "settle">;
  /** Replies that are sanitized by default. */
  readonly sanitizePolicy?: "off" | "external";
  /** Explanation of the unconfirmed call that ended the run; it comes before any other outcome. */
  readonly unconfirmed?: Explained;
}

/** The reply to a program that ran. */
export async function replyTo(execution: Execution, parts: ReplyParts): Promise<RunReply> {
  const { calls, stage } = parts;
  const { record, program } = stage;
  const { outcome } = execution;
  record.executed(execution, calls.count());
  const settings = requestedSettings(stage);
  if (parts.unconfirmed) return failWith(parts.unconfirmed, settings, parts);
  if (outcome.kind === "value") {
    const ending = program.magic.length > 0 ? readMagic(outcome.value, stage) : undefined;
    return await replyWith(ending?.result ?? outcome, { ...settings, ...ending?.settings }, parts);
  }
  if (outcome.kind === "nothing") return await replyWith(outcome, settings, parts);
  const failure = explainOutcome(outcome, program);
  const explained = outcome.kind === "thrown" ? withoutForgery(failure, calls.count()) : failure;
  if (!isMisuse(outcome)) return failWith(explained, settings, parts);
  await parts.shapes.settle(); // the results of this run belong to it
  const names = calls.tools();
  const called = parts.registry.entries().filter(({ pack, tool }) =>
    names.includes(`${pack}.${tool}`)
  );
  const reported = withResults(explained, called, (entry) => parts.shapes.resultOf(entry));
  return failWith(reported, settings, parts);
}

/** Returns true for an error that a wrong guess about a result causes. */
function isMisuse(outcome: Outcome): boolean {
  if (outcome.kind !== "thrown") return false;
  return outcome.name === "TypeError" || outcome.tool?.code === "invalid_arguments";
}

function failWith(
  { text, error }: Explained,
  settings: ReplySettings,
  parts: ReplyParts,
): RunReply {
  const { calls, stage: { record, options: { within } } } = parts;
  const isForeign = mayBeForeign(settings, parts);
  const marked = (own: string) => isForeign ? sanitize(own, { sources: calls.tools() }) : own;
  if (within === undefined) {
    const own = isForeign
      ? { ...withoutText(error, calls.tools()), message: marked(error.message) }
      : error;
    return record.fail({ text: marked(text), error: own });
  }
  // The run around it marks its own reply.
  return { ...record.fail({ text: marked(text), error }), external: isForeign || calls.external() };
}

/** Leaves out the stack, a name that is no short word, and a tool that was not called: a program may put
 * any text there. */
function withoutText(
  { stack: _stack, name, tool, ...rest }: RunProblem,
  called: readonly string[],
): RunProblem {
  const error = { ...rest, name: /^[a-z]{1,40}$/i.test(name) ? name : "Error" };
  return tool !== undefined && called.includes(tool) ? { ...error, tool } : error;
}

/** Settings of the reply; those in the command come before those in the request. */
interface ReplySettings {
  readonly format?: string;
  /** Undefined where the configuration decides. */
  readonly sanitize?: boolean;
}

type Result = Extract<Outcome, { kind: "value" | "nothing" }>;

function requestedSettings({ request }: Pick<Stage, "request">): ReplySettings {
  if (request.kind === "script") return { sanitize: false };
  return { format: request.format, sanitize: request.sanitize };
}

type Marking = Pick<ReplyParts, "sanitizePolicy"> & {
  readonly stage: Pick<Stage, "request" | "program">;
  readonly calls: Pick<RunCalls, "external" | "tools">;
};

/** Off by default; on by request, or where foreign text must be marked and a tool sent some (RUN-60). */
function isSanitized({ sanitize }: ReplySettings, { calls, sanitizePolicy }: Marking): boolean {
  return sanitize ?? (sanitizePolicy === "external" && calls.external());
}

/** The same for a text that is not the program's value: it may not have got to set `__sanitize__`. */
function mayBeForeign(settings: ReplySettings, parts: Marking): boolean {
  return isSanitized(settings, parts) || parts.stage.program.magic.includes("__sanitize__");
}

/** Marks a text about the calls of a program, such as their arguments, where it may be foreign. */
export function markForeign(text: string, parts: Marking): string {
  const isForeign = mayBeForeign(requestedSettings(parts.stage), parts);
  return isForeign ? sanitize(text, { sources: parts.calls.tools() }) : text;
}

async function replyWith(
  result: Result,
  settings: ReplySettings,
  parts: ReplyParts,
): Promise<RunReply> {
  const { calls, stage: { record, request, options: { within } }, writer } = parts;
  if (result.kind === "nothing") {
    return record.succeed(result.explicit ? "null" : "OK: no value returned");
  }
  const lookup = request.kind === "command" ? calls.lookup(result.value) : undefined;
  const sanitized = isSanitized(settings, parts) &&
    (settings.sanitize === true || !calls.isMarked(result.value));
  const options = { ...settings, sanitize: sanitized, tools: calls.tools(), lookup };
  const write = () => writer.write(result.value, options);
  const { text, stored } = await record.time("serialise", write);
  const handle = stored === undefined ? {} : { stored: stored.handle };
  if (within === undefined) {
    if (sanitized) return { ...record.succeed(text), ...handle };
    const content = request.kind === "command" ? await calls.images(result.value) : [];
    const reply = { ...record.succeed(text, result.value), ...handle };
    return content.length > 0 ? { ...reply, content } : reply;
  }
  // A program gets the value, and its own reply is the one to be marked.
  return { ...record.succeed(text, result.value), external: sanitized || calls.external() };
}

/** A program with magic variables gives `[kind, value, ...their values]`. */
function readMagic(
  list: JsonValue,
  { program }: Stage,
): { result: Result; settings: Partial<ReplySettings> } | undefined {
  if (!Array.isArray(list)) return undefined; // It did not end where it was meant to.
  const [kind, value = null, ...values] = list;
  const settings: { format?: string; sanitize?: boolean } = {};
  program.magic.forEach((name, at) => {
    const set = values[at];
    if (name === "__format__" && typeof set === "string") settings.format = set;
    if (name === "__sanitize__" && typeof set === "boolean") settings.sanitize = set;
  });
  const result: Result = kind === 2
    ? { kind: "value", value }
    : { kind: "nothing", explicit: kind === 1 };
  return { result, settings };
}
