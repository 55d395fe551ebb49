/** Sign-ins that a call waits for: asked of a person while the clocks stand still. */

import type { JsonObject } from "#base";
import { PackError } from "../../errors.ts";
import type { CallOptions, PersonalStep } from "../../types.ts";
import { AuthError } from "../auth/errors.ts";
import type { ServerAuth } from "../auth/keeper.ts";
import { ConnectError, type Failure } from "../connect/failure.ts";

export interface SignInWait extends Pick<CallOptions, "peer" | "origin"> {
  /** Name of the call, `github.search`. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** Stops the clock of the call. */
  readonly pause: () => () => void;
}

type SignInFailure = Extract<Failure, { kind: "needs_auth" | "insufficient_scope" }>;

/** Failure that a sign-in would mend; undefined for others, and for a server without one. */
export function signInFailure(
  failure: Failure,
  auth: ServerAuth | undefined,
): SignInFailure | undefined {
  if (!auth) return undefined;
  if (failure.kind === "needs_auth" || failure.kind === "insufficient_scope") return failure;
  const isRefused = failure.kind === "http" && failure.status === 401;
  return isRefused ? { kind: "needs_auth" } : undefined;
}

/** Tells what a person has to do; `failed` is why a sign-in has failed. */
export function signInStep(
  { kind }: SignInFailure,
  { target: { command } }: ServerAuth,
  failed?: AuthError,
): PersonalStep {
  const state = kind === "needs_auth" ? "it wants a sign-in" : "the sign-in does not cover this";
  const why = failed ? `, and the last one failed: ${failed.reason}` : "";
  return { reason: kind, message: `${state}${why}: ${command}`, command };
}

/** Error of a call that no person could sign in for, or whose sign-in failed. */
export function signInError(
  name: string,
  failure: SignInFailure,
  { auth, cause }: { readonly auth: ServerAuth; readonly cause?: unknown },
): PackError {
  const [server] = name.split(".");
  const failed = cause instanceof AuthError ? cause : undefined;
  const { reason, message, command } = signInStep(failure, auth, failed);
  const scope = failure.kind === "insufficient_scope" ? failure.scope : undefined;
  const details: JsonObject = { reason, command, ...(scope === undefined ? {} : { scope }) };
  const text = `Cannot call "${name}": the server "${server}" is not available: ${message}`;
  return new PackError("unavailable", text, { tool: name, cause, details });
}

/** Asks a person to sign in; resolves once the call can be tried again. Throws the error where no
 * person can be asked, and `PackError` for a no and for a sign-in that fails. */
export async function signInFor(
  error: unknown,
  auth: ServerAuth | undefined,
  { name, peer, origin, signal, pause }: SignInWait,
): Promise<void> {
  const cause = error instanceof PackError ? error.cause : undefined;
  const failure = cause instanceof ConnectError ? signInFailure(cause.failure, auth) : undefined;
  if (!auth || !failure) throw error;
  if (failure.kind === "insufficient_scope") await auth.want({ scope: failure.scope });
  const resumes = [pause(), peer?.pause?.()];
  try {
    const outcome = await auth.signIn({ peer, run: origin?.run, signal });
    if (outcome === "signed_in") return;
    if (outcome === "unanswerable") throw error;
    throw new PackError("blocked", `Cannot call "${name}": the sign-in was declined`, {
      tool: name,
      details: { reason: "declined" },
    });
  } catch (thrown) {
    throw thrown instanceof AuthError
      ? signInError(name, failure, { auth, cause: thrown })
      : thrown;
  } finally {
    for (const resume of resumes) resume?.();
  }
}
