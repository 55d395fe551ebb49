/** Receiver of a sign-in: a server may name the page of one provider, and get the sign-in itself. */

import type { OAuthDiscoveryState } from "@modelcontextprotocol/client";

/** Host of the token endpoint where it is another than that of the address at which a person signs in.
 * Known providers have two hosts, so this is no error. */
export function receiverOf(address: string, state: OAuthDiscoveryState): string | undefined {
  const { authorizationServerUrl, authorizationServerMetadata } = state;
  const { host } = new URL(authorizationServerMetadata?.token_endpoint ?? authorizationServerUrl);
  return host === new URL(address).host ? undefined : host;
}

/** Sentence that names both hosts; undefined where they are one. */
export function receiverText(
  { url, receiver }: { readonly url: string; readonly receiver?: string },
): string | undefined {
  if (receiver === undefined) return undefined;
  return `Sign in at ${new URL(url).host}; ${receiver} receives the sign-in`;
}
