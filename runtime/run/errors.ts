/** Refusal of a run before it began; an error of a program is an outcome, never one of these. */

import type { JsonObject } from "#base";
export type RefusalCode =
  | "bad_request"
  | "busy"
  | "cancelled"
  | "needs_confirmation"
  | "not_found"
  | "unavailable";

export interface RunRefusedOptions extends ErrorOptions {
  readonly details?: JsonObject;
}

/** A request that could not become a run. */
export class RunRefused extends Error {
  override readonly name = "RunRefused";
  readonly code: RefusalCode;
  readonly details: JsonObject;
  constructor(code: RefusalCode, message: string, options: RunRefusedOptions = {}) {
    super(message, options);
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** Builds the refusal of a run that was cancelled while it waited to begin. */
export function cancelledEarly(): RunRefused {
  return new RunRefused("cancelled", "The run was cancelled before it began");
}
