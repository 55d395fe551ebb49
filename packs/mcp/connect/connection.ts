/** Interface of a connection to a server, for the other parts of the packs. */

import type { JsonObject, Log, TraceContext } from "#base";
import type { Transport } from "../../server_config.ts";
import type { McpLogLevel, ServerQuestion } from "../../peer.ts";
import type { Fetch } from "./plain_fetch.ts";
import type { Watcher } from "../../process/watcher.ts";
import type { ServerAuth } from "../auth/keeper.ts";

/** Handshake of a server. */
export type Era = "modern" | "legacy";

/** Description that a server gives of itself. Untrusted text. */
export interface ServerInfo {
  readonly name: string | null;
  readonly version: string | null;
  /** Its title and its description. */
  readonly about: string;
  readonly instructions: string | null;
  readonly protocol: string | null;
}

/** Answers a question; the signal is aborted when the server cancels it. */
export type AnswerServer = (
  question: ServerQuestion,
  signal: AbortSignal,
) => Promise<JsonObject>;

export interface ConnectDeps {
  /** Answers questions of a server of the older protocol; missing where no client can. */
  readonly answer?: AnswerServer;
  /** Tokens for the server; missing for a program, and where the configuration has the header. */
  readonly auth?: ServerAuth;
  readonly log: Log;
  readonly watcher: Watcher;
  readonly fetch: Fetch;
  /** Environment of the gateway; children get the needed part of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The open project; servers of the home folder start no program of it. */
  readonly project?: string;
  /** Parent of the working directories of programs that must not start in the project. */
  readonly cacheDir?: string;
  readonly clientVersion: string;
  readonly maxMessageBytes: number;
  readonly probeTimeoutMs: number;
}

/** One way to reach a server. */
export interface Route {
  readonly transport: Transport;
  /** `modern` requests the newest protocol first and falls back on a proper refusal. */
  readonly era: Era;
}

export interface SendOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: unknown) => void;
  /** The span that the request belongs to. */
  readonly trace?: TraceContext;
}

/** Notification of a server. */
export type ServerNotice =
  | { readonly kind: "tools" | "prompts" | "resources" }
  | { readonly kind: "resource"; readonly uri: string }
  | { readonly kind: "log"; readonly params: JsonObject };

export interface Connection {
  readonly transport: Route["transport"];
  readonly era: Era;
  readonly info: ServerInfo;
  /** True where the server keeps a session between requests. */
  readonly hasSession: boolean;
  /** Capabilities that the server announces. */
  readonly capabilities: JsonObject;
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>;
  /** One page of `tools/list`, as the server sent it. */
  listTools(cursor: string | undefined, options: SendOptions): Promise<unknown>;
  /** The result of `tools/call`, as the server sent it. */
  callTool(tool: ToolCall, options: SendOptions): Promise<unknown>;
  /** Sends any other request; resolves to the result as the server sent it, also for input. */
  request(method: string, params: JsonObject, options: SendOptions): Promise<unknown>;
  /** Subscribes to a resource; the returned function unsubscribes. */
  watch(uri: string, options: SendOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly inputSchema: JsonObject;
  /** Fields that an MCP client sent beside the arguments. */
  readonly forward?: JsonObject;
  /** Answers to the questions of the last result, and its state. */
  readonly answers?: JsonObject;
  /** Lowest log level during the call. */
  readonly logLevel?: McpLogLevel;
}
