/** Errors of sign-ins. None holds a token, a code, or words of a server. */

/** A person has to sign in, for the first time, again, or for more. */
export class SignInNeeded extends Error {
  override readonly name = "SignInNeeded";
  readonly reason: "needs_auth" | "insufficient_scope";
  /** Scope that the server asked for. */
  readonly scope: string | undefined;
  constructor(
    reason: "needs_auth" | "insufficient_scope",
    options: ErrorOptions & { readonly scope?: string } = {},
  ) {
    super(
      reason === "needs_auth"
        ? "The server wants a sign-in"
        : "The sign-in does not cover what was asked for",
      options,
    );
    this.reason = reason;
    this.scope = options.scope;
  }
}

/** A sign-in, or the renewal of one, that failed. `reason` is a short phrase. */
export class AuthError extends Error {
  override readonly name = "AuthError";
  readonly reason: string;
  constructor(reason: string, options?: ErrorOptions) {
    super(`Cannot sign in: ${reason}`, options);
    this.reason = reason;
  }
}
