/** Servers of a configuration, checked and with every default; their transports and names. */

import type { TlsFiles } from "./mcp/connect/tls_fetch.ts";

/** Ways to reach a server, by every name in a configuration, those of other clients included. */
export const TRANSPORTS = {
  stdio: "stdio",
  http: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  sse: "sse",
} as const;
export type Transport = (typeof TRANSPORTS)[keyof typeof TRANSPORTS];

/** The transport of that name; undefined for another text. */
export function transportOf(name: string | undefined): Transport | undefined {
  return Object.entries(TRANSPORTS).find(([key]) => key === name)?.[1];
}

/** Packs of Toolscript's own, each with its description. */
const OWN = {
  ot: "the pack ot, through which an agent finds tools",
  proj: "the pack proj, of the projects",
  snippets: "the pack snippets, of the snippets",
};
export const OWN_PACKS: readonly string[] = Object.keys(OWN);
/** Names that no server and no pack can take, with the owner of each. */
export const RESERVED: Readonly<Record<string, string>> = {
  ...OWN,
  tools: "tools, which holds every pack",
};

interface Common {
  readonly name: string;
  readonly enabled: boolean;
  /** Glob patterns of tool names that are kept; empty keeps all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** True where its replies are text from outside (RUN-58 to 60). */
  readonly external: boolean;
  /** True where types are learned from its results. */
  readonly learn: boolean;
  /** Time limit of one call, milliseconds. */
  readonly timeoutMs: number;
}

export interface StdioServer extends Common {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** As configured; variables that a program needs to start are added at launch. */
  readonly env: Readonly<Record<string, string>>;
  /** Working directory, absolute. */
  readonly cwd: string;
  /** True where the config names no folder, and the project is used. */
  readonly isDefaultCwd?: boolean;
  /** True for a server of the home folder's configuration: it starts in projects of strangers. */
  readonly isHomes?: boolean;
  readonly idleTimeoutMs: number;
  readonly keepAlive: boolean;
}

/** A program and what decides how it starts. */
export type StartedProgram = Pick<
  StdioServer,
  "command" | "args" | "env" | "cwd" | "isDefaultCwd" | "isHomes"
>;

/** Ways to get a token. */
export const GRANTS = ["authorization_code", "client_credentials", "device"] as const;

/** Sign-in at a server, as configured. */
export interface OAuthSettings {
  readonly grant: typeof GRANTS[number];
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Address of the document that describes this client. */
  readonly clientMetadataUrl?: string;
  /** PEM or JWK; signs instead of a secret. */
  readonly privateKey?: string;
  readonly scope?: string;
  /** Metadata of the authorization server, where they are not found. */
  readonly metadataUrl?: string;
  readonly redirectPort?: number;
}

/** One of several accounts at a server, each with a pack of its own. */
export interface Account {
  /** Name of the server in the configuration. */
  readonly server: string;
  readonly name: string;
  readonly isFirst: boolean;
}

export interface HttpServer extends Common {
  /** `auto` tries Streamable HTTP and falls back to SSE. */
  readonly kind: Exclude<Transport, "stdio"> | "auto";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
  readonly account?: Account;
  /** Absolute paths. */
  readonly tls?: TlsFiles;
}

export type ServerConfig = StdioServer | HttpServer;

/** Servers of the packs that further accounts have, by the name of the pack. */
export function accountServers(
  servers: readonly ServerConfig[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(servers.flatMap((server) => {
    const own = server.kind === "stdio" ? undefined : server.account;
    return own && !own.isFirst ? [[server.name, own.server]] : [];
  }));
}
