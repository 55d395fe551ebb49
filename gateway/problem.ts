/** From any error to the one shape in which errors leave over HTTP (INTERFACE, *Errors*). */

import { PackError, type PackErrorCode } from "#packs";
import { type RefusalCode, RunRefused } from "#runtime";
import type { JsonObject, Log } from "#sandbox";

export type HttpCode = PackErrorCode | RefusalCode | "unauthorized" | "forbidden" | "not_found";

const STATUS = {
  bad_request: 400,
  invalid_arguments: 400,
  unauthorized: 401,
  forbidden: 403,
  blocked: 403,
  unknown_tool: 404,
  unknown_pack: 404,
  not_found: 404,
  needs_confirmation: 409,
  too_large: 413,
  busy: 429,
  cancelled: 499,
  internal: 500,
  tool_error: 502,
  unavailable: 503,
  timeout: 504,
} satisfies Record<HttpCode, number>;

export interface HttpErrorOptions {
  /** Where the code's own status is not the one: 405 and 415 are `bad_request` too. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly details?: JsonObject;
}

/** A request that the gateway itself refuses. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: HttpCode;
  readonly options: HttpErrorOptions;
  constructor(code: HttpCode, message: string, options: HttpErrorOptions = {}) {
    super(message);
    this.code = code;
    this.options = options;
  }
}

/** The response for an error. What is not ours to tell becomes `internal`, without path or stack. */
export function problemResponse(error: unknown, log: Log): Response {
  if (error instanceof HttpError) {
    const { status = STATUS[error.code], headers = {}, details = {} } = error.options;
    return response({ code: error.code, message: error.message, details }, status, headers);
  }
  if (error instanceof PackError) {
    const { code, message, retryable, tool, details } = error;
    return response({ code, message, retryable, tool, details }, STATUS[code]);
  }
  if (error instanceof RunRefused) {
    const retryable = error.code === "busy" || error.code === "unavailable";
    const headers: Record<string, string> = error.code === "busy" ? { "retry-after": "1" } : {};
    const { code, message, details } = error;
    return response({ code, message, retryable, details }, STATUS[code], headers);
  }
  log("error", "A request failed", { error: error instanceof Error ? error.stack : String(error) });
  const message = "The gateway failed on this request: look at its log, and report it if it stays";
  return response({ code: "internal", message }, STATUS.internal);
}

interface Problem {
  readonly code: HttpCode;
  readonly message: string;
  readonly retryable?: boolean;
  readonly tool?: string;
  readonly details?: JsonObject;
}

function response(
  { code, message, retryable = false, tool, details = {} }: Problem,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const error = { code, message, retryable, ...(tool === undefined ? {} : { tool }), details };
  return Response.json({ error }, { status, headers });
}
