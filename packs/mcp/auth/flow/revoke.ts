/** Revocation of a sign-in at its server (RFC 7009). */

import { selectClientAuthMethod } from "@modelcontextprotocol/client";
import type { Fetch } from "../../connect/plain_fetch.ts";
import { createAuthFetch } from "../auth_fetch.ts";
import { clientAuthentication } from "../client_auth.ts";
import type { Credential } from "../store/types.ts";
import type { AuthTarget } from "../target.ts";

/** Revokes the tokens; false where the server offers no revocation, or names another host for it than
 * the one that issues tokens: that one alone gets them. Throws where it fails. */
export async function revoke(
  target: AuthTarget,
  { tokens, discovery, registration }: Credential,
  fetch: Fetch,
): Promise<boolean> {
  const metadata: Readonly<Record<string, unknown>> = {
    ...discovery?.authorizationServerMetadata,
  };
  const endpoint = metadata.revocation_endpoint;
  if (!tokens || !registration || typeof endpoint !== "string") return false;
  if (hostOf(endpoint) !== hostOf(metadata.token_endpoint)) return false;
  const supported = metadata.revocation_endpoint_auth_methods_supported ??
    metadata.token_endpoint_auth_methods_supported;
  const methods = Array.isArray(supported) ? supported.map(String) : [];
  const authFetch = createAuthFetch(fetch, { target });
  const both = [["refresh_token", tokens.refresh], ["access_token", tokens.access]] as const;
  for (const [hint, token] of both) {
    if (token === undefined) continue;
    const body = new URLSearchParams({ token, token_type_hint: hint });
    const headers = new Headers({ accept: "application/json" });
    const { information } = registration;
    const sign = clientAuthentication(target.settings);
    const { client_id: id, client_secret: secret } = information;
    if (sign) await sign(headers, body, endpoint, undefined);
    else if (secret && selectClientAuthMethod(information, methods) === "client_secret_basic") {
      headers.set("authorization", `Basic ${btoa(`${id}:${secret}`)}`);
    } else {
      body.set("client_id", id);
      if (secret) body.set("client_secret", secret);
    }
    const response = await authFetch(endpoint, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`Cannot revoke: HTTP status ${response.status}`);
  }
  return true;
}

function hostOf(url: unknown): string | undefined {
  return URL.parse(String(url))?.hostname;
}
