/** Shape of a sign-in that is kept. */

import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";

/** Owner of a credential. */
export interface CredentialId {
  /** Name in the configuration. */
  readonly server: string;
  readonly url: string;
  /** Empty where the server has no accounts. */
  readonly account: string;
  /** Text of what the configuration says about who signs in, and where. Missing where it says nothing:
   * a person signs in where the server says, by a client that is made for it. */
  readonly client?: string;
}

export interface Tokens {
  readonly access: string;
  readonly refresh?: string;
  readonly scope?: string;
  /** Milliseconds since 1970 when they were stored. */
  readonly at: number;
  /** Life of the access token; missing where the server named none. */
  readonly lifeMs?: number;
  /** True once the server has refused the access token. */
  readonly isRefused?: boolean;
}

/** Client at an authorization server, with the redirect address that it was registered for. */
export interface Registration {
  readonly information: StoredOAuthClientInformation;
  readonly redirectUrl?: string;
  /** True where it was made dynamically. */
  readonly isDynamic?: boolean;
}

export interface Credential extends CredentialId {
  readonly discovery?: OAuthDiscoveryState;
  readonly registration?: Registration;
  readonly tokens?: Tokens;
  /** Scope that the server asked for. */
  readonly wanted?: string;
  /** Metadata of the resource as a refusal named it. */
  readonly resourceMetadataUrl?: string;
}
