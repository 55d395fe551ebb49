/** Conversion of errors to the one form that HTTP responses have. */

import type { JsonObject, Log } from "#base";
import { PackError, type PackErrorCode } from "#packs";
import { type RefusalCode, RunRefused } from "#runtime";

export type HttpCode = PackErrorCode | RefusalCode | "unauthorized" | "forbidden" | "not_found";

const STATUS = {
  bad_request: 400,
  invalid_arguments: 400,
  unauthorized: 401,
  forbidden: 403,
  blocked: 403,
  read_only: 403,
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
  /** Status in place of the code's own: 405 and 415 are `bad_request` too. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly details?: JsonObject;
}

/** Refusal of a request by the gateway itself. */
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

/** True for a method that only reads. */
export function isReadMethod(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Builds the error for a path that does not allow this method. */
export function wrongMethod(method: string, methods: readonly string[]): HttpError {
  const allow = methods.join(", ");
  const options = { status: 405, headers: { allow } };
  return new HttpError("bad_request", `Cannot ${method} here: use ${allow}`, options);
}

/** Error as a client gets it: its status, headers and body. */
export interface Problem {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error: {
    readonly code: HttpCode;
    readonly message: string;
    readonly retryable: boolean;
    readonly tool?: string;
    readonly details: JsonObject;
  };
}

/** Converts an error. Unexpected errors become `internal`, without path or stack. */
export function problemOf(error: unknown, log: Log): Problem {
  if (error instanceof HttpError) {
    const { code, message, options: { status = STATUS[code], headers, details = {} } } = error;
    return { status, headers, error: { code, message, retryable: false, details } };
  }
  if (error instanceof PackError) {
    const { code, message, retryable, tool, details } = error;
    const toolField = tool === undefined ? {} : { tool };
    return { status: STATUS[code], error: { code, message, retryable, ...toolField, details } };
  }
  if (error instanceof RunRefused) {
    const { code, message, details } = error;
    const retryable = code === "busy" || code === "unavailable";
    const headers: Record<string, string> = code === "busy" ? { "retry-after": "1" } : {};
    return { status: STATUS[code], headers, error: { code, message, retryable, details } };
  }
  log("error", "A request failed", { error: error instanceof Error ? error.stack : String(error) });
  const message = "The gateway failed on this request: look at its log, and report it if it stays";
  return {
    status: STATUS.internal,
    error: { code: "internal", message, retryable: false, details: {} },
  };
}

/** Builds the response for an error. */
export function problemResponse(thrown: unknown, log: Log): Response {
  const { status, headers, error } = problemOf(thrown, log);
  return Response.json({ error }, { status, headers });
}
