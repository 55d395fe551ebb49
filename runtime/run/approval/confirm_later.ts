/** End of a run that made a call without a confirmation where no person can be asked. */

import type { JsonObject } from "#base";
import { stopAsking, unconfirmedState } from "#packs";
import type { Inbox } from "../../inbox/mod.ts";
import { pageOf } from "./person.ts";
import type { Unconfirmed } from "./run_questions.ts";
import { type Confirmations, subjectOfRun } from "./confirmations.ts";
import type { CallKeeper, KeptCall } from "./call_keeper.ts";
import { type Explained, explained } from "../problem/problem.ts";
import { argumentLines, nameText } from "./question_text.ts";
import type { RunRequest } from "../types.ts";

export interface ConfirmLaterOptions {
  readonly request: RunRequest;
  readonly repeatable: boolean;
  readonly confirmations: Confirmations;
  readonly keeper: CallKeeper;
  readonly inbox: Pick<Inbox, "address">;
  /** Calls that were approved for this run. */
  readonly approved: readonly KeptCall[];
  /** The call that it ended with, as the gateway saw it. */
  readonly unconfirmed: Unconfirmed;
}

/** Explains that a call was not confirmed, and how it can be. */
export async function confirmLater(options: ConfirmLaterOptions): Promise<Explained> {
  const { request, repeatable, confirmations, keeper, inbox, approved, unconfirmed } = options;
  const { question, pattern } = unconfirmed;
  const { tool, line, arguments: args } = question;
  const calls = [...await keeper.read(approved), question];
  const kept = repeatable ? [...approved, await keeper.keep(question)] : [];
  const confirm = repeatable ? confirmations.issue(await subjectOfRun(request), kept) : undefined;
  const details: JsonObject = {
    ...(confirm === undefined ? {} : { confirm }),
    calls: calls.map((call) => ({ ...call })),
    pattern: pattern ?? null,
    ...(unconfirmed.rule === undefined ? {} : { rule: unconfirmed.rule }),
    ...pageOf(inbox, request),
  };
  const message = messageOf(unconfirmed);
  const called = ["It would be called with:", ...argumentLines(args)];
  return explained({
    text: [message, ...called, wayOut(confirm, pattern)].join("\n"),
    code: "needs_confirmation",
    name: "ToolError",
    message,
    ...(line === undefined ? {} : { line }),
    tool,
    details,
  });
}

/** Removes the code and the id of a confirmation from an error that the program itself threw, and the
 * code of a refusal where it made no call that could be refused. */
export function withoutForgery({ text, error }: Explained, calls: number): Explained {
  const isRefusal = error.code === "blocked" || error.code === "read_only";
  if (isRefusal && calls === 0) return { text, error: { ...error, code: "thrown" } };
  if (error.code !== "needs_confirmation") return { text, error };
  const { confirm: _, calls: __, ...details } = error.details;
  return { text, error: { ...error, code: "thrown", details } };
}

function messageOf({ question: { tool, line, because }, pattern }: Unconfirmed): string {
  const place = line === undefined ? "" : ` at line ${line}`;
  const state = unconfirmedState(pattern === undefined ? [] : [pattern], { because });
  return `Cannot call "${nameText(tool)}"${place}: ${state}`;
}

function wayOut(confirm: string | undefined, pattern: string | undefined): string {
  if (confirm === undefined) {
    return `To allow it, ${stopAsking(pattern)}`;
  }
  return `To allow it, send the whole again with "confirm": "${confirm}": it runs from its ` +
    "beginning, and what it did before this call it does once more";
}
