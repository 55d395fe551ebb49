/** From how a program ended to the reply: its value as text, or what went wrong. */

import type { Execution, JsonValue } from "#sandbox";
import { type ReplyWriter, sanitise } from "../reply/mod.ts";
import type { RunCalls } from "./calls.ts";
import { explainOutcome } from "./problem.ts";
import type { Stage } from "./run.ts";
import type { RunReply } from "./types.ts";

export interface ReplyParts {
  readonly calls: RunCalls;
  readonly stage: Stage;
  readonly writer: ReplyWriter;
}

/** The reply to a program that ran. */
export async function replyTo(execution: Execution, parts: ReplyParts): Promise<RunReply> {
  const { calls, stage } = parts;
  const { record, program } = stage;
  const { outcome } = execution;
  record.executed(execution, calls.count());
  if (outcome.kind === "value") return await replyWith(outcome.value, parts);
  if (outcome.kind === "nothing") {
    return record.succeed(outcome.explicit ? "null" : "OK: no value returned");
  }
  const { text, error } = explainOutcome(outcome, program);
  if (!wantsSanitised(stage)) return record.fail({ text, error });
  return record.fail({ text: sanitise(text, { sources: calls.tools() }), error });
}

async function replyWith(
  value: JsonValue,
  { calls, stage, writer }: ReplyParts,
): Promise<RunReply> {
  const { record, request } = stage;
  const isSanitised = wantsSanitised(stage);
  const options = {
    format: request.kind === "command" ? request.format : undefined,
    tools: calls.tools(),
    sanitise: isSanitised,
  };
  const { text } = await record.time("serialise", () => writer.write(value, options));
  return isSanitised ? record.succeed(text) : record.succeed(text, value);
}

function wantsSanitised({ request }: Stage): boolean {
  return request.kind === "command" && request.sanitize === true;
}
