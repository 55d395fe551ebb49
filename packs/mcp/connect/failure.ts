/** Why a connection or a request failed, in terms that do not depend on the client library. */

export type Failure =
  /** The server answered with a JSON-RPC error. */
  | {
    readonly kind: "rpc";
    readonly code: number;
    readonly message: string;
    readonly data?: unknown;
  }
  | { readonly kind: "http"; readonly status: number }
  | { readonly kind: "timeout" }
  | { readonly kind: "closed" }
  | { readonly kind: "not_found"; readonly what: "command" | "folder" }
  | { readonly kind: "not_executable" }
  | { readonly kind: "unreachable" }
  | { readonly kind: "unusable" };

/** A connection that could not be made, or one that was lost. `reason` is a short fixed phrase. */
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

  /** Whether trying again without a change by a person is pointless. */
  get final(): boolean {
    const { failure } = this;
    if (failure.kind === "http") return failure.status === 401 || failure.status === 403;
    return failure.kind === "not_found" || failure.kind === "not_executable";
  }
}

/** The JSON-RPC error with which a server refused, where that is why `error` was thrown. */
export function serverRefusal(error: unknown): Extract<Failure, { kind: "rpc" }> | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof ConnectError && cause.failure.kind === "rpc" ? cause.failure : undefined;
}

/** A phrase fit for a status page: no path, command, address or secret. */
export function describeFailure(failure: Failure): string {
  switch (failure.kind) {
    case "rpc":
      return "refused by the server";
    case "http":
      if (failure.status === 401) return "authorization needed";
      return failure.status === 403 ? "access denied" : `HTTP status ${failure.status}`;
    case "timeout":
      return "no answer in time";
    case "closed":
      return "connection closed";
    case "not_found":
      return failure.what === "command" ? "command not found" : "working directory not found";
    case "not_executable":
      return "command cannot be executed";
    case "unreachable":
      return "not reachable";
    case "unusable":
      return "unusable answer";
    default:
      return failure satisfies never;
  }
}
