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
  /** True where the message holds foreign text, whichever pack throws it. */
  readonly external?: boolean;
}

/** A failed call. `message` names the action, the state and the way out. */
export class PackError extends Error {
  override readonly name = "PackError";
  readonly code: PackErrorCode;
  readonly tool?: string;
  readonly retryable: boolean;
  readonly details: JsonObject;
  readonly external: boolean;
  constructor(code: PackErrorCode, message: string, options: PackErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.tool = options.tool;
    this.retryable = options.retryable ?? false;
    this.details = options.details ?? {};
    this.external = options.external ?? false;
  }
}
