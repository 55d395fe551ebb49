/** Servers that may want a sign-in, and the command that signs in. */

import type { HttpServer, OAuthSettings, ServerConfig } from "../../server_config.ts";
import { idOf } from "./store/credential_store.ts";
import type { CredentialId } from "./store/types.ts";

/** A server, and an account at it, as a token is kept for it. */
export interface AuthTarget extends CredentialId {
  readonly settings: OAuthSettings;
  /** Command that a person signs in with. */
  readonly command: string;
  /** True where the configuration says that a sign-in is wanted. */
  readonly isConfigured: boolean;
  /** Certificates for the server, and for its authorization server. */
  readonly tls?: HttpServer["tls"];
}

/** Target of a server; undefined for a program, and where the configuration has the header itself. */
export function authTarget(config: ServerConfig): AuthTarget | undefined {
  if (config.kind === "stdio") return undefined;
  const { oauth, account, url, tls } = config;
  if (!oauth && hasAuthorization(config)) return undefined;
  const server = account?.server ?? config.name;
  const settings: OAuthSettings = oauth ?? { grant: "authorization_code" };
  return {
    ...idOf({ server, url, account: account?.name ?? "", client: clientOf(settings) }),
    settings,
    command: signInCommand(server, account?.isFirst === false ? account.name : undefined),
    isConfigured: oauth !== undefined || account !== undefined,
    tls,
  };
}

/** Text that is another for each client, grant and authorization server that a configuration names: a
 * trusted project may name the server of the home folder, and must not replace its sign-in. */
function clientOf({ grant, clientId, clientMetadataUrl, metadataUrl }: OAuthSettings) {
  const named = [clientId, clientMetadataUrl, metadataUrl];
  const isOfPerson = grant !== "client_credentials";
  if (isOfPerson && named.every((name) => name === undefined)) return undefined;
  return JSON.stringify([isOfPerson ? "person" : grant, ...named.map((name) => name ?? "")]);
}

function hasAuthorization({ headers }: HttpServer): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}

function signInCommand(server: string, account: string | undefined): string {
  const option = account === undefined ? "" : ` --account ${account}`;
  return `toolscript auth login ${server}${option}`;
}
