/** The end of a run that made a call which nobody could be asked about. */

import type { JsonObject } from "#sandbox";
import { type Confirmations, subjectOfRun } from "./confirmations.ts";
import type { Explained } from "./problem.ts";
import type { Question, RunRequest } from "./types.ts";

export interface ConfirmLaterOptions {
  readonly request: RunRequest;
  readonly repeatable: boolean;
  readonly confirmations: Confirmations;
  /** What was approved for this run. */
  readonly approved: readonly Question[];
  /** What it wanted beside that, as the gateway saw it. */
  readonly unconfirmed: readonly Question[];
}

/** Adds a confirmation to a failure that was one for want of it. What the program itself says of
 * calls is not believed. */
export async function confirmLater(
  explained: Explained,
  options: ConfirmLaterOptions,
): Promise<Explained> {
  const { error, text } = explained;
  if (error.code !== "needs_confirmation") return explained;
  const { confirm: _, calls: __, ...details } = error.details;
  const { request, repeatable, confirmations, approved, unconfirmed } = options;
  if (unconfirmed.length === 0) {
    // Whoever was asked for the code that called this one knows more.
    const code = repeatable ? "thrown" : error.code;
    return { text, error: { ...error, code, details } };
  }
  const calls = [...approved, ...unconfirmed];
  const told: JsonObject = { ...details, calls: calls.map((call) => ({ ...call })) };
  if (!repeatable) return { text, error: { ...error, details: told } };
  const confirm = confirmations.issue(await subjectOfRun(request), calls);
  return {
    text: `${text}\nTo allow it, send the whole again with "confirm": "${confirm}": it runs from ` +
      "its beginning, and what it did before this call it does once more",
    error: { ...error, details: { ...told, confirm } },
  };
}
