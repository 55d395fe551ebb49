/** What the rest of the packs knows of a connection to a server. */

import type { Transport } from "../../server_config.ts";
import type { JsonObject, Log, TraceContext } from "#sandbox";
import type { McpLogLevel, ServerQuestion } from "../../peer.ts";
import type { Fetch } from "./held_fetch.ts";
import type { Watcher } from "../../process/watcher.ts";

/** Which of the two handshakes a server speaks. */
export type Era = "modern" | "legacy";

/** What a server says of itself. Untrusted text. */
export interface ServerInfo {
  readonly name: string | null;
  readonly version: string | null;
  readonly instructions: string | null;
  readonly protocol: string | null;
}

/** The signal is aborted when the server takes its question back. */
export type AnswerServer = (
  question: ServerQuestion,
  signal: AbortSignal,
) => Promise<JsonObject>;

export interface ConnectDeps {
  /** Answers what a server of the older protocol asks; missing where nobody can. */
  readonly answer?: AnswerServer;
  readonly log: Log;
  readonly watcher: Watcher;
  readonly fetch: Fetch;
  /** The gateway's own environment; the needed part of it goes to a child. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where folders of their own are made for programs that start in none of the project's. */
  readonly cacheDir?: string;
  readonly clientVersion: string;
  readonly maxMessageBytes: number;
  readonly probeTimeoutMs: number;
}

/** One way to reach a server. */
export interface Route {
  readonly transport: Transport;
  /** `modern` asks for the newest protocol first and falls back where the server refuses well. */
  readonly era: Era;
}

export interface SendOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: unknown) => void;
  /** The span that the request belongs to. */
  readonly trace?: TraceContext;
}

/** What a server tells without being asked. */
export type ServerNotice =
  | { readonly kind: "tools" | "prompts" | "resources" }
  | { readonly kind: "resource"; readonly uri: string }
  | { readonly kind: "log"; readonly params: JsonObject };

export interface Connection {
  readonly transport: Route["transport"];
  readonly era: Era;
  readonly info: ServerInfo;
  /** Whether the server remembers us between requests. */
  readonly hasSession: boolean;
  /** What it says it can do. */
  readonly capabilities: JsonObject;
  /** Resolves when the connection is over, whoever ended it. */
  readonly closed: Promise<void>;
  /** One page of `tools/list`, as the server sent it. */
  listTools(cursor: string | undefined, options: SendOptions): Promise<unknown>;
  /** The result of `tools/call`, as the server sent it. */
  callTool(tool: ToolCall, options: SendOptions): Promise<unknown>;
  /** Any other request, answered as the server did, also when it asks for input. */
  request(method: string, params: JsonObject, options: SendOptions): Promise<unknown>;
  /** Asks to be told when a resource changes; the returned function ends that. */
  watch(uri: string, options: SendOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly inputSchema: JsonObject;
  /** What an MCP client sent beside the arguments. */
  readonly forward?: JsonObject;
  /** Answers to what the server asked by its result, and the state that came with it. */
  readonly answers?: JsonObject;
  /** Least level of log that is wanted while the call goes on. */
  readonly logLevel?: McpLogLevel;
}
