/** One connection to one MCP server, by the official client. */

import {
  Client,
  CLIENT_CAPABILITIES_META_KEY,
  InsufficientScopeError,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  type Transport,
} from "@modelcontextprotocol/client";
import { abortable, isObject, type JsonObject } from "#base";
import type {
  AnswerServer,
  ConnectDeps,
  Connection,
  Era,
  Route,
  SendOptions,
  ServerInfo,
  ServerNotice,
  ToolCall,
} from "./connection.ts";
import { ConnectError, type Failure } from "./failure.ts";
import { followNotices, watchResource } from "./notices.ts";
import { createHttpPipe } from "./http_pipe.ts";
import { AnswerTooLong } from "./long_messages.ts";
import { RawProcessResults, type RawResults, STREAM_LOST, unwrapResult } from "./raw_results.ts";
import { CompressedAnswer } from "./plain_fetch.ts";
import type { ServerConfig } from "../../server_config.ts";
import { createStdioPipe } from "./stdio_pipe.ts";
import { paramsOf, QUESTIONS } from "./trim.ts";
import { AuthError, SignInNeeded } from "../auth/errors.ts";

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const METHOD_NOT_FOUND = -32601;

/** Opens a connection by one route. Throws `ConnectError`, and the signal's reason when aborted. */
export async function connect(
  config: ServerConfig,
  route: Route,
  deps: ConnectDeps,
  options: { readonly signal: AbortSignal; readonly onNotice: (notice: ServerNotice) => void },
): Promise<Connection> {
  const pipe = createPipe(config, route, deps);
  const client = createClient(route, deps);
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
  client.onclose = onClosed;
  client.onerror = (error) => {
    deps.log("debug", "A server's connection reports an error", {
      server: config.name,
      error: error.message.slice(0, 500),
    });
    // The event source would reconnect by itself, to an uninitialized session.
    if (error instanceof SseError) void pipe.close();
  };
  try {
    // The signal is the only time limit.
    const handshake = client.connect(pipe as Transport, {
      timeout: LONGEST_TIMER_MS,
      signal: options.signal,
    });
    await abortable(handshake, options.signal);
    pipe.wrap = true;
    await followNotices(client, options);
  } catch (error) {
    await pipe.close().catch(() => {}); // the first failure counts
    options.signal.throwIfAborted();
    throw new ConnectError(classify(error), { cause: error });
  }
  return new SdkConnection(client, pipe, route.transport, closed);
}

class SdkConnection implements Connection {
  readonly transport: Route["transport"];
  readonly closed: Promise<void>;
  readonly era: Era;
  readonly info: ServerInfo;
  readonly capabilities: JsonObject;
  readonly #client: Client;
  readonly #pipe: RawResults;

  constructor(
    client: Client,
    pipe: RawResults,
    transport: Route["transport"],
    closed: Promise<void>,
  ) {
    this.#client = client;
    this.#pipe = pipe;
    this.transport = transport;
    this.closed = closed;
    this.era = client.getProtocolEra() ?? "legacy";
    this.capabilities = { ...client.getServerCapabilities() } as JsonObject;
    const server = client.getServerVersion();
    this.info = {
      name: server?.name ?? null,
      version: server?.version ?? null,
      about: [server?.title, server?.description].filter(Boolean).join(". "),
      instructions: client.getInstructions() ?? null,
      protocol: client.getNegotiatedProtocolVersion() ?? null,
    };
  }

  get hasSession(): boolean {
    return this.#pipe.sessionId !== undefined;
  }

  listTools(cursor: string | undefined, options: SendOptions): Promise<unknown> {
    const params = cursor === undefined ? {} : { cursor };
    return this.#result(
      this.#client.request({ method: "tools/list", params }, ANYTHING, requestOptions(options)),
    );
  }

  callTool(tool: ToolCall, options: SendOptions): Promise<unknown> {
    const params = {
      ...withTrace(this.#forward(tool), options.trace),
      name: tool.name,
      arguments: { ...tool.arguments },
    };
    const send = requestOptions(options);
    if (this.era === "modern" && this.transport === "http") {
      // On this route some arguments also travel as headers, which only `callTool` sets. It gets no
      // output schema, so it validates nothing.
      const inputSchema = { ...tool.inputSchema, type: "object" as const };
      return this.#result(this.#client.callTool(params, {
        ...send,
        toolDefinition: { name: tool.name, inputSchema },
      }));
    }
    return this.#result(
      this.#client.request({ method: "tools/call", params }, ANYTHING, send),
    );
  }

  /** Adds capabilities and log level for a server of the newer protocol. */
  #forward({ forward, answers, logLevel }: ToolCall): JsonObject {
    if (forward || this.era !== "modern") return forward ?? {};
    const meta = { [CLIENT_CAPABILITIES_META_KEY]: CAPABILITIES };
    if (logLevel === undefined) return { ...answers, _meta: meta };
    return { ...answers, _meta: { ...meta, [LOG_LEVEL_META_KEY]: logLevel } };
  }

  request(method: string, params: JsonObject, options: SendOptions): Promise<unknown> {
    const request = { method, params: { ...params } };
    return this.#result(this.#client.request(request, ANYTHING, requestOptions(options)));
  }

  watch(uri: string, options: SendOptions): Promise<() => Promise<void>> {
    return watchResource(this.#client, uri, requestOptions(options));
  }

  async close(): Promise<void> {
    await this.#pipe.endSession();
    await this.#client.close();
    await this.#pipe.close();
  }

  async #result(answer: Promise<unknown>): Promise<unknown> {
    try {
      return unwrapResult(await answer);
    } catch (error) {
      throw new ConnectError(classify(error), { cause: error });
    }
  }
}

/** Capabilities announced to every server, with or without a client: connections outlive clients. */
const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** Result schema that accepts everything: we read the results. */
const ANYTHING = {
  "~standard": {
    version: 1 as const,
    vendor: "toolscript",
    validate: (value: unknown) => ({ value }),
  },
};

function createPipe(config: ServerConfig, route: Route, deps: ConnectDeps): RawResults {
  if (config.kind === "stdio") return new RawProcessResults(createStdioPipe(config, deps));
  return createHttpPipe(config, route, deps);
}

function createClient(route: Route, deps: ConnectDeps): Client {
  const probe = { timeoutMs: deps.probeTimeoutMs };
  const client = new Client({ name: "toolscript", version: deps.clientVersion }, {
    capabilities: deps.answer ? CAPABILITIES : {},
    inputRequired: { autoFulfill: false },
    versionNegotiation: route.era === "modern" ? { mode: "auto", probe } : { mode: "legacy" },
  });
  if (deps.answer) answerQuestions(client, deps.answer);
  return client;
}

/** Answers by the one handler that gets requests as they are: before any other, the library describes
 * each flaw of them. */
function answerQuestions(client: Client, answer: AnswerServer): void {
  client.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {
    if (!QUESTIONS.includes(method)) throw new ProtocolError(METHOD_NOT_FOUND, "Method not found");
    return await answer({ method, params: paramsOf(params) as JsonObject }, mcpReq.signal);
  };
}

function requestOptions(options: SendOptions): RequestOptions {
  return {
    timeout: Math.max(1, Math.min(options.timeoutMs, LONGEST_TIMER_MS)),
    signal: options.signal,
    onprogress: options.onProgress,
    // Over HTTP the trace goes along as headers too (W3C Trace Context).
    ...(options.trace ? { headers: { ...options.trace } } : {}),
  };
}

/** Adds the trace as `traceparent` and `tracestate` in `_meta`, for every transport. */
function withTrace(params: JsonObject, trace: SendOptions["trace"]): JsonObject {
  if (!trace) return params;
  return { ...params, _meta: { ...(isObject(params._meta) ? params._meta : {}), ...trace } };
}

function classify(error: unknown): Failure {
  if (error instanceof AnswerTooLong || error instanceof CompressedAnswer) return error.failure;
  if (error instanceof ConnectError) return error.failure;
  if (error instanceof SignInNeeded) {
    return { kind: error.reason, ...(error.scope === undefined ? {} : { scope: error.scope }) };
  }
  if (error instanceof AuthError) return { kind: "auth", why: error.reason };
  if (error instanceof InsufficientScopeError) {
    return { kind: "insufficient_scope", scope: error.requiredScope };
  }
  if (error instanceof ProtocolError) {
    if (error.code === STREAM_LOST) return { kind: "closed" };
    return { kind: "rpc", code: error.code, message: error.message, data: error.data };
  }
  const status = httpStatus(error);
  if (status !== undefined) return { kind: "http", status };
  if (error instanceof SdkError) return classifySdkError(error);
  if (isPipeError(error)) return { kind: "closed" };
  return error instanceof TypeError ? { kind: "unreachable" } : { kind: "unusable" };
}

/** Returns true for errors of writing to an ended process. */
function isPipeError(error: unknown): boolean {
  const { BrokenPipe, BadResource, ConnectionReset, Interrupted } = Deno.errors;
  return [BrokenPipe, BadResource, ConnectionReset, Interrupted].some((kind) =>
    error instanceof kind
  );
}

function classifySdkError(error: SdkError): Failure {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return { kind: "timeout" };
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return { kind: "closed" };
    default:
      if (error.cause instanceof CompressedAnswer) return error.cause.failure;
      if (isPipeError(error.cause)) return { kind: "closed" };
      return error.cause instanceof TypeError ? { kind: "unreachable" } : { kind: "unusable" };
  }
}

function httpStatus(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  return error instanceof SseError ? error.code : undefined;
}
