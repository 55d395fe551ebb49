/** Types between the MCP protocol and its backends. */

import type { JsonObject, TraceContext } from "#base";
import type { McpLogLevel as LogLevel } from "#packs";

/** Request of an MCP client: the parameters of its method, without those of the protocol. */
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

/** Context of one request. */
export interface McpExchange {
  readonly signal: AbortSignal;
  /** Method, and name or URI: a state of the gateway is good for these alone. */
  readonly subject: string;
  /** Connection of the request; it may differ for each request of one client. */
  readonly connection?: object;
  /** Name of the client, if it sent one. */
  readonly client?: string;
  /** Working folder of the client, absolute; the project where it is missing. */
  readonly cwd?: string;
  /** Span of the client, if it sent one. */
  readonly trace?: TraceContext;
  /** Capabilities of the client (`elicitation`, `sampling`, `roots`). */
  readonly capabilities: JsonObject;
  /** `_meta` of the request, without the keys of the protocol. */
  readonly meta: JsonObject;
  /** Answers to an `input_required` result of the gateway, and its state. */
  readonly inputResponses?: JsonObject;
  readonly requestState?: string;
  /** Minimum log level, if the client sent one with the request. */
  readonly logLevel?: LogLevel;
  /** Set if the client asked for progress. */
  readonly onProgress?: (progress: Progress) => void;
  readonly onLog: (level: LogLevel, data: unknown, logger?: string) => void;
}

/** Change of a list or of a resource. */
export type McpChange =
  | { readonly kind: "tools" | "prompts" | "resources" }
  | { readonly kind: "resource"; readonly uri: string };

export interface McpAbout {
  readonly version: string;
  readonly instructions: string;
  /** True where servers are offered directly, with their tools, resources and prompts. */
  readonly direct: boolean;
  /** False without the tool `look`. */
  readonly look: boolean;
  /** Time limit for the answer to a question to the client. */
  readonly askTimeoutMs: number;
}

/** Handler of MCP requests, independent of the transport. */
export interface McpBackend {
  about(): McpAbout;
  /** Handles one request. Throws `McpError` for an error of the protocol. */
  handle(request: McpRequest, exchange: McpExchange): Promise<JsonObject>;
  /** Signal that is aborted when a question of this name, which the client has, is taken back.
   * `until` is aborted when the client no longer has it. */
  withdrawal(id: string, until: AbortSignal): AbortSignal | undefined;
  /** Watches these resources until the returned function is called. */
  watch(uris: readonly string[]): () => void;
  /** Registers a listener; returns the function that removes it. */
  onChange(listener: (change: McpChange) => void): () => void;
}

/** JSON-RPC error. */
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
/** Refused by a person or by the configuration. */
export const REFUSED = -32000;
export const METHOD_NOT_FOUND = -32601;
