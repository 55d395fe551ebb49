/** Finds the authorization server of a resource, and reads their metadata. */

import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  type OAuthDiscoveryState,
  type OAuthProtectedResourceMetadata,
  resourceUrlFromServerUrl,
} from "@modelcontextprotocol/client";
import { isObject } from "#base";
import type { Fetch } from "../connect/plain_fetch.ts";
import { checkAddress } from "./auth_fetch.ts";
import { AuthError } from "./errors.ts";
import type { Credential } from "./store/types.ts";
import type { AuthTarget } from "./target.ts";

export interface DiscoverOptions {
  readonly fetch: Fetch;
  /** Address of the resource's metadata, as a refusal named it. */
  readonly resourceMetadataUrl?: string;
}

/** Reads the metadata by RFC 9728, and 8414 or OpenID Connect; from the configured address where there
 * is one. Throws `AuthError`. */
export async function discover(
  target: Pick<AuthTarget, "url" | "settings">,
  { fetch, resourceMetadataUrl }: DiscoverOptions,
): Promise<OAuthDiscoveryState> {
  const { url, settings: { metadataUrl } } = target;
  const at = resourceMetadataUrl === undefined ? undefined : new URL(resourceMetadataUrl);
  try {
    const state = metadataUrl === undefined
      ? await discoverOAuthServerInfo(url, { fetchFn: fetch, resourceMetadataUrl: at })
      : {
        ...await readConfigured(metadataUrl, fetch),
        resourceMetadata: await readResource(url, { fetch, at }),
      };
    await checkAddresses(state, target);
    resourceOf(state, url);
    return { ...state, ...(at ? { resourceMetadataUrl: at.href } : {}) };
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new AuthError("the metadata of its authorization server cannot be used", {
      cause: error,
    });
  }
}

/** Value of `resource` in requests for tokens. Throws `AuthError` where the metadata are of another
 * resource. */
export function resourceOf(
  { resourceMetadata }: Pick<OAuthDiscoveryState, "resourceMetadata">,
  url: string,
): string {
  const own = resourceUrlFromServerUrl(url);
  if (!resourceMetadata) return own.href;
  const { resource } = resourceMetadata;
  if (checkResourceAllowed({ requestedResource: own, configuredResource: resource })) {
    return resource;
  }
  throw new AuthError("its metadata name another resource");
}

/** Issuer that answers and tokens must come from. */
export function issuerOf(state: OAuthDiscoveryState): string {
  return state.authorizationServerMetadata?.issuer ?? state.authorizationServerUrl;
}

/** Host of an issuer that is another than that of the sign-in before; undefined for the same one, and for
 * the first. Throws `AuthError` where a configured secret would go there: a server may name any. */
export function checkIssuer(
  { settings: { clientSecret, privateKey } }: Pick<AuthTarget, "settings">,
  before: Pick<Credential, "discovery" | "registration"> | undefined,
  now: OAuthDiscoveryState,
): string | undefined {
  const knownIssuer = before && issuerName(before);
  const issuer = issuerOf(now);
  if (knownIssuer === undefined || knownIssuer === issuer) return undefined;
  if (clientSecret === undefined && privateKey === undefined) return new URL(issuer).host;
  throw new AuthError("the server names another issuer than before: sign out, and in again");
}

/** Issuer of a sign-in, as far as it is known. */
export function issuerName(
  { discovery, registration }: Pick<Credential, "discovery" | "registration">,
): string | undefined {
  return discovery ? issuerOf(discovery) : registration?.information.issuer;
}

async function readConfigured(
  address: string,
  fetch: Fetch,
): Promise<{ authorizationServerUrl: string; authorizationServerMetadata: Metadata }> {
  const response = await fetch(address, { headers: { accept: "application/json" } });
  const metadata: unknown = response.ok ? await response.json() : undefined;
  const needed = ["issuer", "authorization_endpoint", "token_endpoint"];
  if (!isObject(metadata) || needed.some((name) => typeof metadata[name] !== "string")) {
    throw new AuthError("metadata_url leads to no metadata of an authorization server");
  }
  const complete = { response_types_supported: ["code"], ...metadata } as unknown as Metadata;
  return { authorizationServerUrl: complete.issuer, authorizationServerMetadata: complete };
}

type Metadata = AuthorizationServerMetadata;

async function readResource(
  url: string,
  { fetch, at }: { readonly fetch: Fetch; readonly at: URL | undefined },
): Promise<OAuthProtectedResourceMetadata | undefined> {
  try {
    const options = { resourceMetadataUrl: at };
    return await discoverOAuthProtectedResourceMetadata(url, options, fetch);
  } catch {
    // Servers without them are older ones.
    return undefined;
  }
}

const ENDPOINTS = [
  "authorization_endpoint",
  "token_endpoint",
  "registration_endpoint",
  "revocation_endpoint",
  "device_authorization_endpoint",
];

async function checkAddresses(
  state: OAuthDiscoveryState,
  target: Pick<AuthTarget, "url" | "settings">,
): Promise<void> {
  const metadata: Readonly<Record<string, unknown>> = { ...state.authorizationServerMetadata };
  const addresses = [state.authorizationServerUrl, ...ENDPOINTS.map((name) => metadata[name])];
  for (const address of addresses) {
    if (typeof address === "string") await checkAddress(URL.parse(address), { target });
  }
}
