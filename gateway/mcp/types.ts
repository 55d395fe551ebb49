/** What lies between the MCP protocol and what answers it: requests in, results out. */

import type { McpLogLevel as LogLevel } from "#packs";
import type { JsonObject, TraceContext } from "#sandbox";

/** One request of an MCP client, its method's parameters without the protocol's own. */
export interface McpRequest {
  readonly method: McpMethod;
  readonly params: JsonObject;
}

export const MCP_METHODS = [
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
] as const;
export type McpMethod = typeof MCP_METHODS[number];

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What goes along with one request. */
export interface McpExchange {
  readonly signal: AbortSignal;
  /** Connection that the request came by: the same for all requests of one client, or another each
   * time. */
  readonly connection?: object;
  /** The client's name, where it gave one. */
  readonly client?: string;
  /** The client's span, where it sent one. */
  readonly trace?: TraceContext;
  /** What the client says it can do (`elicitation`, `sampling`, `roots`). */
  readonly capabilities: JsonObject;
  /** The client's `_meta` of this request, the protocol's own keys left out. */
  readonly meta: JsonObject;
  /** The answers to what an `input_required` result asked for, and its state. */
  readonly inputResponses?: JsonObject;
  readonly requestState?: string;
  /** The least level of log that the client wants, where it named one with the request. */
  readonly logLevel?: LogLevel;
  /** Set where the client wants to know. */
  readonly onProgress?: (progress: Progress) => void;
  readonly onLog: (level: LogLevel, data: unknown, logger?: string) => void;
}

/** A list or a resource that has changed. */
export type McpChange =
  | { readonly kind: "tools" | "prompts" | "resources" }
  | { readonly kind: "resource"; readonly uri: string };

export interface McpAbout {
  readonly version: string;
  readonly instructions: string;
  /** Whether tools of servers are offered by themselves, with the servers' resources and prompts. */
  readonly direct: boolean;
  /** How long a question to the client waits for its answer. */
  readonly askTimeoutMs: number;
}

/** Answers MCP requests, whatever carries them. */
export interface McpBackend {
  about(): McpAbout;
  /** Answers one request. Throws `McpError` for one that the protocol answers with an error. */
  handle(request: McpRequest, exchange: McpExchange): Promise<JsonObject>;
  /** Asks for `resource` changes of these addresses, until the returned function is called. */
  watch(uris: readonly string[]): () => void;
  /** Returns the function that unsubscribes. */
  onChange(listener: (change: McpChange) => void): () => void;
}

/** A JSON-RPC error. */
export class McpError extends Error {
  override readonly name = "McpError";
  readonly code: number;
  readonly data?: unknown;
  constructor(code: number, message: string, options: ErrorOptions & { data?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.data = options.data;
  }
}

export const INVALID_PARAMS = -32602;
export const RESOURCE_NOT_FOUND = -32002;
/** A person, or the configuration, has said no. */
export const REFUSED = -32000;
export const METHOD_NOT_FOUND = -32601;
