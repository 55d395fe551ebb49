/** Renewal of an access token: one at a time on the whole machine, written before it is used. */

import {
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  refreshAuthorization,
  type StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import type { Fetch } from "../../connect/plain_fetch.ts";
import { createAuthFetch } from "../auth_fetch.ts";
import { clientAuthentication } from "../client_auth.ts";
import { discover, resourceOf } from "../discovery.ts";
import { asAuthError } from "../auth_failure.ts";
import { AuthError } from "../errors.ts";
import { type CredentialStore, idOf } from "../store/credential_store.ts";
import type { Credential } from "../store/types.ts";
import type { AuthTarget } from "../target.ts";
import { isFresh, tokensOf } from "../tokens.ts";

export interface RenewDeps {
  readonly store: CredentialStore;
  readonly fetch: Fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** `renewed` also where another process had done it; `needs_sign_in` where only a person can. */
export type Renewal = "renewed" | "needs_sign_in";

/** Time that another process has for its change of the sign-in. */
export const LOCK_MS = 60_000;

/** Renews the token of a target unless the stored one is another than `refused`, and fresh. The
 * stored sign-in stays, unless the server refused exactly its refresh token. Throws `AuthError`
 * for a failure that may pass. */
export async function renew(
  target: AuthTarget,
  refused: string | undefined,
  deps: RenewDeps,
): Promise<Renewal> {
  const { store, now } = deps;
  using lock = await store.lock(target, "lock", { timeoutMs: LOCK_MS });
  if (!lock) throw new AuthError("another process renews the sign-in and does not end");
  const credential = await store.read(target);
  const isRefused = refused !== undefined && credential?.tokens?.access === refused;
  if (isFresh(credential?.tokens, { now: now(), refused })) return "renewed";
  if (target.settings.grant === "client_credentials") return await fetchAnew(target, deps);
  if (!credential?.tokens) return "needs_sign_in";
  const marked = { ...credential, tokens: { ...credential.tokens, isRefused } };
  if (credential.tokens.refresh === undefined) {
    if (isRefused) await store.write(marked);
    return "needs_sign_in";
  }
  // A refresh token that is good once must not be spent where its successor cannot be written.
  await store.write(marked);
  return await redeem(target, marked, deps);
}

/** A client that signs in by itself. */
async function fetchAnew(target: AuthTarget, { store, ...deps }: RenewDeps): Promise<Renewal> {
  const { fetchClientToken } = await import("../flow/client_credentials.ts");
  await store.write(await fetchClientToken(target, await store.read(target), deps));
  return "renewed";
}

async function redeem(
  target: AuthTarget,
  credential: Credential,
  { store, fetch, now }: RenewDeps,
): Promise<Renewal> {
  const before = credential.tokens;
  const information = credential.registration?.information;
  if (!information || before?.refresh === undefined) return "needs_sign_in";
  const answer = await exchange(target, credential, {
    fetch: createAuthFetch(fetch, { target }),
    information,
    refreshToken: before.refresh,
  });
  if (!answer) return await dropRefused(before.refresh, { target, store });
  await store.write({ ...credential, tokens: tokensOf(answer, { before, now: now() }) });
  return "renewed";
}

/** Sends the refresh token; undefined where the server refuses this token. Throws `AuthError`. */
async function exchange(
  { settings, ...target }: AuthTarget,
  { discovery }: Credential,
  { fetch, information, refreshToken }: {
    readonly fetch: Fetch;
    readonly information: StoredOAuthClientInformation;
    readonly refreshToken: string;
  },
): Promise<OAuthTokens | undefined> {
  try {
    const state = discovery ?? await discover({ ...target, settings }, { fetch });
    return await refreshAuthorization(state.authorizationServerUrl, {
      metadata: state.authorizationServerMetadata,
      clientInformation: information,
      refreshToken,
      resource: resourceOf(state, target.url),
      addClientAuthentication: clientAuthentication(settings),
      fetchFn: fetch,
    });
  } catch (error) {
    const isRefused = error instanceof OAuthError && error.code === OAuthErrorCode.InvalidGrant;
    if (isRefused) return undefined;
    throw asAuthError(error);
  }
}

/** Removes the refresh token that was refused, and nothing where another has been stored. */
async function dropRefused(
  refused: string,
  { target, store }: { readonly target: AuthTarget; readonly store: CredentialStore },
): Promise<Renewal> {
  const current = await store.read(target);
  if (current?.tokens && current.tokens.refresh !== refused) return "renewed";
  if (!current?.tokens) return "needs_sign_in";
  const { refresh: _, ...tokens } = current.tokens;
  await store.write({ ...current, ...idOf(target), tokens });
  return "needs_sign_in";
}
