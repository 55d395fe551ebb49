/** State of one sign-in, in the form that the official client's `auth()` drives. Made for one flow, and
 * dropped with it: nothing is stored before the flow has ended well. */

import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import { clientAuthentication } from "../client_auth.ts";
import { issuerOf, resourceOf } from "../discovery.ts";
import { AuthError } from "../errors.ts";
import type { Registration } from "../store/types.ts";
import type { AuthTarget } from "../target.ts";

export interface FlowOptions {
  readonly target: AuthTarget;
  readonly discovery: OAuthDiscoveryState;
  /** From an earlier sign-in. */
  readonly registration?: Registration;
  /** Missing for a client that signs in by itself. */
  readonly redirectUrl?: string;
}

/** A flow: the provider, and its results. */
export interface Flow {
  readonly provider: OAuthClientProvider;
  /** Sent along, and compared with that of the answer. */
  readonly state: string;
  authorizationUrl(): URL;
  registration(): Registration;
  tokens(): OAuthTokens;
}

const NAME = "Toolscript";

/** Makes the flow. */
export function createFlow({ target, discovery, registration, redirectUrl }: FlowOptions): Flow {
  const { settings, url } = target;
  const issuer = issuerOf(discovery);
  const state = crypto.randomUUID();
  let client = configuredClient(target, issuer) ?? reusable(registration, { issuer, redirectUrl });
  let verifier = "";
  let tokens: OAuthTokens | undefined;
  let authorizationUrl: URL | undefined;

  const common = {
    redirectUrl,
    clientMetadata: clientMetadata(target, { discovery, redirectUrl }),
    ...(settings.clientMetadataUrl ? { clientMetadataUrl: settings.clientMetadataUrl } : {}),
    state: () => state,
    clientInformation: () => client?.information,
    saveClientInformation(information: StoredOAuthClientInformation) {
      const isDynamic = information.client_id !== settings.clientMetadataUrl;
      client = { information, isDynamic, ...(redirectUrl ? { redirectUrl } : {}) };
    },
    // Tokens from before are not renewed here.
    tokens: () => undefined,
    saveTokens: (saved: OAuthTokens) => void (tokens = saved),
    redirectToAuthorization: (to: URL) => void (authorizationUrl = to),
    saveCodeVerifier: (saved: string) => void (verifier = saved),
    codeVerifier: () => verifier,
    discoveryState: () => discovery,
    saveDiscoveryState() {},
    addClientAuthentication: clientAuthentication(settings),
    // Every failure ends the flow; nothing stored is touched.
    invalidateCredentials() {
      throw new AuthError("the authorization server refuses this client or its answer");
    },
  };
  const provider: OAuthClientProvider = {
    ...common,
    ...(discovery.resourceMetadata ? {} : {
      validateResourceURL: () => Promise.resolve(new URL(resourceOf(discovery, url))),
    }),
    ...(settings.grant === "client_credentials" ? { prepareTokenRequest: clientRequest } : {}),
  };
  return {
    provider,
    state,
    authorizationUrl: () => present(authorizationUrl),
    registration: () => present(client),
    tokens: () => present(tokens),
  };
}

function clientRequest(scope?: string): URLSearchParams {
  return new URLSearchParams({
    grant_type: "client_credentials",
    ...(scope ? { scope } : {}),
  });
}

function clientMetadata(
  { settings }: AuthTarget,
  { discovery, redirectUrl }: Pick<FlowOptions, "discovery" | "redirectUrl">,
): OAuthClientMetadata {
  const { grant, scope } = settings;
  const grants = {
    authorization_code: ["authorization_code", "refresh_token"],
    device: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
    client_credentials: ["client_credentials"],
  } satisfies Record<typeof grant, string[]>;
  return {
    client_name: NAME,
    redirect_uris: redirectUrl ? [redirectUrl] : [],
    grant_types: grants[grant],
    ...(grant === "authorization_code" ? { response_types: ["code"] } : {}),
    token_endpoint_auth_method: authMethod(discovery),
    application_type: "native",
    ...(scope === undefined ? {} : { scope }),
  };
}

/** Method without a secret, since a program on a person's machine cannot keep one, unless the
 * server supports no such method. */
function authMethod({ authorizationServerMetadata }: OAuthDiscoveryState): string {
  const supported = authorizationServerMetadata?.token_endpoint_auth_methods_supported ?? [];
  const methods = ["none", "client_secret_basic", "client_secret_post"];
  return methods.find((method) => supported.includes(method)) ?? "none";
}

/** The client that the configuration names. */
function configuredClient({ settings }: AuthTarget, issuer: string): Registration | undefined {
  const { clientId, clientSecret } = settings;
  if (clientId === undefined) return undefined;
  const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
  return { information: { client_id: clientId, ...secret, issuer } };
}

/** Earlier registration, if it was made dynamically for the same issuer and redirect address, and
 * its secret does not expire. */
function reusable(
  registration: Registration | undefined,
  { issuer, redirectUrl }: { readonly issuer: string; readonly redirectUrl?: string },
): Registration | undefined {
  if (!registration?.isDynamic || registration.information.issuer !== issuer) return undefined;
  const { client_secret_expires_at: end = 0 } = registration.information as {
    readonly client_secret_expires_at?: number;
  };
  return registration.redirectUrl === redirectUrl && end === 0 ? registration : undefined;
}

function present<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new AuthError("the authorization server did not complete the sign-in");
  }
  return value;
}
