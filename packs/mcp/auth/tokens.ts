/** Tokens as they are kept: when they end, and how they come of an answer. */

import type { OAuthTokens } from "@modelcontextprotocol/client";
import { AuthError } from "./errors.ts";
import type { Credential, Tokens } from "./store/types.ts";

const MOST_CHARACTERS = 16_384;
const MARGIN_MS = 60_000;
const MARGIN_SHARE = 0.1;

/** Tokens of an answer; a refresh token that is not sent again stays. */
export function tokensOf(
  { access_token, refresh_token, scope, expires_in }: OAuthTokens,
  { before, now }: { readonly before?: Tokens; readonly now: number },
): Tokens {
  const refresh = refresh_token ?? before?.refresh;
  const granted = scope ?? before?.scope;
  return {
    access: access_token,
    at: now,
    ...(refresh === undefined ? {} : { refresh }),
    ...(granted === undefined ? {} : { scope: granted }),
    ...(expires_in === undefined ? {} : { lifeMs: expires_in * 1000 }),
  };
}

/** Throws `AuthError` for a token of over 16 kB: every answer of the server is searched for it. */
export function checkLength(tokens: readonly unknown[]): void {
  if (tokens.every((token) => typeof token !== "string" || token.length <= MOST_CHARACTERS)) return;
  throw new AuthError("a token of the authorization server has over 16 kB");
}

/** Tells that an access token can be sent. One without a known life can until it is refused; only the
 * clock of this machine counts, so that a server's may be wrong. */
export function isFresh(
  tokens: Tokens | undefined,
  { now, refused }: { readonly now: number; readonly refused?: string },
): boolean {
  if (!tokens || tokens.isRefused || tokens.access === refused) return false;
  const { at, lifeMs } = tokens;
  if (lifeMs === undefined || now < at) return true;
  return now < at + lifeMs - Math.min(MARGIN_MS, lifeMs * MARGIN_SHARE);
}

/** Time at which the access token ends; undefined where that is unknown, or no date. */
export function expiresAt({ tokens }: Credential): Date | undefined {
  const end = new Date(tokens?.lifeMs === undefined ? NaN : tokens.at + tokens.lifeMs);
  return Number.isNaN(end.getTime()) ? undefined : end;
}

export type SignInState = "signed_in" | "expired" | "needs_auth" | "none";

/** State of a sign-in: `expired` where the token is over or was refused, and nothing renews it. */
export function stateOf(
  credential: Credential | undefined,
  { now, isConfigured, renewsItself }: {
    readonly now: number;
    readonly isConfigured: boolean;
    /** True for tokens that come without a person. */
    readonly renewsItself: boolean;
  },
): SignInState {
  const tokens = credential?.tokens;
  if (!tokens) return credential || isConfigured ? "needs_auth" : "none";
  const canRenew = tokens.refresh !== undefined || renewsItself;
  return canRenew || isFresh(tokens, { now }) ? "signed_in" : "expired";
}
