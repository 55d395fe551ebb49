/** Receivers of a sign-in: a server may name the page of a provider, and get the sign-in or its token. */

import type { OAuthDiscoveryState } from "@modelcontextprotocol/client";

const AND = " and ";

/** Hosts that get the sign-in or its token, but for that of the address at which a person signs in: the
 * token endpoint's, and the server's own, which each request brings the token. Undefined where all is
 * one host. Known providers have several, so this is no error. */
export function receiverOf(
  address: string,
  { authorizationServerUrl, authorizationServerMetadata }: OAuthDiscoveryState,
  server: string,
): string | undefined {
  const opened = new URL(address);
  const token = new URL(authorizationServerMetadata?.token_endpoint ?? authorizationServerUrl);
  const own = new URL(server);
  const hosts = [
    ...(token.host === opened.host ? [] : [token.host]),
    // By its name alone: a server often has its sign-in at another port.
    ...([opened.hostname, token.hostname].includes(own.hostname) ? [] : [own.host]),
  ];
  return hosts.length === 0 ? undefined : hosts.join(AND);
}

/** Sentence that names all hosts; undefined where they are one. */
export function receiverText(
  { url, receiver }: { readonly url: string; readonly receiver?: string },
): string | undefined {
  if (receiver === undefined) return undefined;
  const verb = receiver.includes(AND) ? "receive" : "receives";
  return `Sign in at ${new URL(url).host}; ${receiver} ${verb} the sign-in`;
}
