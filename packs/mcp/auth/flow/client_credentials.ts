/** Sign-in of a client by itself (RFC 6749, section 4.4), with a secret or a signature. */

import { auth } from "@modelcontextprotocol/client";
import type { Fetch } from "../../connect/plain_fetch.ts";
import { createAuthFetch } from "../auth_fetch.ts";
import { asAuthError } from "../auth_failure.ts";
import { checkIssuer, discover } from "../discovery.ts";
import { AuthError } from "../errors.ts";
import { idOf } from "../store/credential_store.ts";
import type { Credential } from "../store/types.ts";
import type { AuthTarget } from "../target.ts";
import { tokensOf } from "../tokens.ts";
import { scopeFor } from "./scope.ts";
import { createFlow } from "./provider.ts";

/** Gets a token; the caller stores it. Throws `AuthError`. */
export async function fetchClientToken(
  target: AuthTarget,
  before: Credential | undefined,
  { fetch, now }: { readonly fetch: Fetch; readonly now: () => number },
): Promise<Credential> {
  const { settings } = target;
  if (settings.clientId === undefined) {
    throw new AuthError("client_credentials needs oauth.client_id in the config");
  }
  const authFetch = createAuthFetch(fetch, { target });
  const { resourceMetadataUrl } = before ?? {};
  const discovery = await discover(target, { fetch: authFetch, resourceMetadataUrl });
  checkIssuer(target, before, discovery);
  const flow = createFlow({ target, discovery });
  try {
    await auth(flow.provider, {
      serverUrl: target.url,
      fetchFn: authFetch,
      // No person confirms more than the configured scope.
      scope: settings.scope ?? scopeFor(target, before),
    });
  } catch (error) {
    throw asAuthError(error);
  }
  const tokens = tokensOf(flow.tokens(), { now: now() });
  return { ...before, ...idOf(target), discovery, registration: flow.registration(), tokens };
}
