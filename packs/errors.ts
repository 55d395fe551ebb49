/** Errors of calls: mistakes of the caller, and errors of tools and packs. */

import type { JsonObject } from "#base";

export type PackErrorCode =
  | "bad_request"
  | "invalid_arguments"
  | "blocked"
  | "read_only"
  | "unknown_tool"
  | "unknown_pack"
  | "needs_confirmation"
  | "too_large"
  | "cancelled"
  | "tool_error"
  | "unavailable"
  | "timeout"
  | "internal";

export interface PackErrorOptions extends ErrorOptions {
  readonly tool?: string;
  readonly retryable?: boolean;
  readonly details?: JsonObject;
}

/** A failed call. `message` names the action, the state and the way out. */
export class PackError extends Error {
  override readonly name = "PackError";
  readonly code: PackErrorCode;
  readonly tool?: string;
  readonly retryable: boolean;
  readonly details: JsonObject;
  constructor(code: PackErrorCode, message: string, options: PackErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.tool = options.tool;
    this.retryable = options.retryable ?? false;
    this.details = options.details ?? {};
  }
}

/** Way out for the person who may change the configuration. */
export const STOP_ASKING = "take the pattern out of security.ask in the config";

/** State of what must be confirmed where no person can be asked, for an error's message. */
export function unconfirmedState(
  patterns: readonly string[],
  need = "it needs confirmation",
): string {
  const quoted = patterns.map((pattern) => `'${pattern}'`).join(", ");
  const matches = quoted === "" ? "" : ` (matches ${quoted})`;
  return `${need}${matches} and no person can be asked here`;
}
