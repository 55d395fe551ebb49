/** Failures of requests to an authorization server, in fixed phrases. */

import { OAuthError } from "@modelcontextprotocol/client";
import { describeFailure } from "../connect/failure.ts";
import { CompressedAnswer } from "../connect/plain_fetch.ts";
import { AuthError } from "./errors.ts";

/** Failure with a fixed phrase; what the server said stays out of it, but for its code. */
export function asAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  if (error instanceof OAuthError) {
    return new AuthError(`the authorization server refuses it (${error.code})`);
  }
  if (error instanceof CompressedAnswer) {
    return new AuthError(`the authorization server: ${describeFailure(error.failure)}`);
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new AuthError("the authorization server does not answer in time");
  }
  if (error instanceof TypeError) {
    return new AuthError("the authorization server cannot be reached");
  }
  return new AuthError("the authorization server answers what cannot be used");
}
