/** From how a program ended to the reply: its value as text, or what went wrong. */

import type { Execution, JsonValue, Outcome } from "#sandbox";
import { type ReplyWriter, sanitise } from "../reply/mod.ts";
import type { RunCalls } from "./calls.ts";
import { type Explained, explainOutcome } from "./problem.ts";
import type { Stage } from "./stage.ts";
import type { RunReply } from "./types.ts";
import { withoutForgery } from "./unconfirmed.ts";

export interface ReplyParts {
  readonly calls: RunCalls;
  readonly stage: Stage;
  readonly writer: ReplyWriter;
  /** Which replies are sanitised without being asked to. */
  readonly sanitize?: "off" | "external";
  /** The end of a run that made a call which nobody could be asked about, whatever else came. */
  readonly unconfirmed?: Explained;
}

/** The reply to a program that ran. */
export async function replyTo(execution: Execution, parts: ReplyParts): Promise<RunReply> {
  const { calls, stage } = parts;
  const { record, program } = stage;
  const { outcome } = execution;
  record.executed(execution, calls.count());
  const asked = askedFor(stage);
  if (parts.unconfirmed) return failWith(parts.unconfirmed, asked, parts);
  if (outcome.kind === "value") {
    const given = program.magic.length > 0 ? readMagic(outcome.value, stage) : undefined;
    return await replyWith(given?.result ?? outcome, { ...asked, ...given?.asked }, parts);
  }
  if (outcome.kind === "nothing") return await replyWith(outcome, asked, parts);
  return failWith(withoutForgery(explainOutcome(outcome, program)), asked, parts);
}

function failWith({ text, error }: Explained, asked: Asked, parts: ReplyParts): RunReply {
  const { calls, stage: { record, program } } = parts;
  // What the program wanted last is not known: its errors are foreign text all the same.
  const isForeign = isSanitised(asked, parts) || program.magic.includes("__sanitize__");
  if (!isForeign) return record.fail({ text, error });
  return record.fail({ text: sanitise(text, { sources: calls.tools() }), error });
}

/** How the reply is wanted; what a command sets itself comes before what was asked for with it. */
interface Asked {
  readonly format?: string;
  /** Undefined where nobody said: then the configuration does. */
  readonly sanitise?: boolean;
}

type Result = Extract<Outcome, { kind: "value" | "nothing" }>;

function askedFor({ request }: Stage): Asked {
  if (request.kind === "script") return { sanitise: false };
  return { format: request.format, sanitise: request.sanitize };
}

/** Off unless asked, or unless text from outside is to be marked and a tool gave some (RUN-60). */
function isSanitised({ sanitise }: Asked, { calls, sanitize }: ReplyParts): boolean {
  return sanitise ?? (sanitize === "external" && calls.external());
}

async function replyWith(result: Result, asked: Asked, parts: ReplyParts): Promise<RunReply> {
  const { calls, stage: { record, request, options: { within } }, writer } = parts;
  if (result.kind === "nothing") {
    return record.succeed(result.explicit ? "null" : "OK: no value returned");
  }
  const lookup = request.kind === "command" ? calls.lookup(result.value) : undefined;
  const sanitised = isSanitised(asked, parts);
  const options = { ...asked, sanitise: sanitised, tools: calls.tools(), lookup };
  const { text } = await record.time("serialise", () => writer.write(result.value, options));
  if (within === undefined) {
    if (sanitised) return record.succeed(text);
    const content = request.kind === "command" ? calls.pictures(result.value) : [];
    const reply = record.succeed(text, result.value);
    return content.length > 0 ? { ...reply, content } : reply;
  }
  // A program gets the value, and its own reply is the one to be marked.
  return { ...record.succeed(text, result.value), external: sanitised || calls.external() };
}

/** A program with magic variables gives `[kind, value, ...their values]`. */
function readMagic(
  given: JsonValue,
  { program }: Stage,
): { result: Result; asked: Partial<Asked> } | undefined {
  if (!Array.isArray(given)) return undefined; // It did not end where it was meant to.
  const [kind, value = null, ...values] = given;
  const asked: { format?: string; sanitise?: boolean } = {};
  program.magic.forEach((name, at) => {
    const set = values[at];
    if (name === "__format__" && typeof set === "string") asked.format = set;
    if (name === "__sanitize__" && typeof set === "boolean") asked.sanitise = set;
  });
  const result: Result = kind === 2
    ? { kind: "value", value }
    : { kind: "nothing", explicit: kind === 1 };
  return { result, asked };
}
