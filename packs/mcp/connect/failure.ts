/** Failures of connections and requests, independent of the client library. */

export type Failure =
  /** The server answered with a JSON-RPC error. */
  | {
    readonly kind: "rpc";
    readonly code: number;
    readonly message: string;
    readonly data?: unknown;
  }
  | { readonly kind: "http"; readonly status: number }
  /** A person has to sign in. */
  | { readonly kind: "needs_auth" }
  /** The sign-in does not cover the request. */
  | { readonly kind: "insufficient_scope"; readonly scope?: string }
  /** The sign-in could not be renewed or read. */
  | { readonly kind: "auth"; readonly why: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "closed" }
  | { readonly kind: "not_found"; readonly what: "command" | "folder" }
  | { readonly kind: "not_executable" }
  /** A link of the project leads what the server is given out of it. */
  | { readonly kind: "link"; readonly why: string }
  | { readonly kind: "unreachable" }
  | { readonly kind: "unusable" }
  /** The answer is compressed, against the request. */
  | { readonly kind: "compressed" };

/** Failed or lost connection. `reason` is a short fixed phrase. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
  readonly failure: Failure;
  readonly reason: string;
  constructor(failure: Failure, options?: ErrorOptions) {
    const reason = describeFailure(failure);
    super(`Cannot connect: ${reason}`, options);
    this.failure = failure;
    this.reason = reason;
  }

  get code(): Failure["kind"] {
    return this.failure.kind;
  }

  /** True where a retry cannot succeed without a change by a person. */
  get final(): boolean {
    const { failure } = this;
    if (failure.kind === "http") return failure.status === 401 || failure.status === 403;
    if (failure.kind === "needs_auth" || failure.kind === "insufficient_scope") return true;
    return ["not_found", "not_executable", "link"].includes(failure.kind);
  }
}

/** JSON-RPC error of the server that caused `error`, if it did. */
export function serverRefusal(error: unknown): Extract<Failure, { kind: "rpc" }> | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof ConnectError && cause.failure.kind === "rpc" ? cause.failure : undefined;
}

/** Phrase for a status page: no command, address or secret, and no path but that of a project's link. */
export function describeFailure(failure: Failure): string {
  switch (failure.kind) {
    case "rpc":
      return "refused by the server";
    case "http":
      if (failure.status === 401) return "authorization needed";
      return failure.status === 403 ? "access denied" : `HTTP status ${failure.status}`;
    case "needs_auth":
      return "authorization needed";
    case "insufficient_scope":
      return "more authorization needed";
    case "auth":
      return "authorization failed";
    case "timeout":
      return "no answer in time";
    case "closed":
      return "connection closed";
    case "not_found":
      return failure.what === "command" ? "command not found" : "working directory not found";
    case "not_executable":
      return "command cannot be executed";
    case "link":
      return failure.why;
    case "unreachable":
      return "not reachable";
    case "unusable":
      return "unusable answer";
    case "compressed":
      return "compressed answer: switch compression off at the server or its proxy";
    default:
      return failure satisfies never;
  }
}
