/** One connection to one MCP server. The official client is touched here and nowhere else. */

import {
  Client,
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { Log } from "#sandbox";
import { abortable } from "./abortable.ts";
import type { Connection, Era, Route, SendOptions, ServerInfo, ToolCall } from "./connection.ts";
import { childEnvironment } from "./environment.ts";
import { ConnectError, type Failure } from "./failure.ts";
import { createHeldFetch, type Fetch } from "./held_fetch.ts";
import type { Pipe } from "./pipe.ts";
import { RawProcessResults, RawResults, unwrapResult } from "./raw_results.ts";
import type { ServerConfig, StdioServer } from "../server_config.ts";
import { StdioPipe } from "./stdio_pipe.ts";
import type { Watcher } from "./watcher.ts";

export interface ConnectDeps {
  readonly log: Log;
  readonly watcher: Watcher;
  readonly fetch: Fetch;
  /** The gateway's own environment; the needed part of it goes to a child. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clientVersion: string;
  readonly maxMessageBytes: number;
  readonly probeTimeoutMs: number;
}

const SESSION_END_MS = 2_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Opens a connection by one route. Throws `ConnectError`, and the signal's reason when aborted. */
export async function connect(
  config: ServerConfig,
  route: Route,
  deps: ConnectDeps,
  options: { readonly signal: AbortSignal; readonly onToolsChanged: () => void },
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
    // The event source would reconnect by itself, to a session that was never initialised.
    if (error instanceof SseError) void pipe.close();
  };
  try {
    // No request is given a time limit of its own here: the signal is the limit.
    const handshake = client.connect(pipe as Transport, {
      timeout: LONGEST_TIMER_MS,
      signal: options.signal,
    });
    await abortable(handshake, options.signal);
    pipe.wrap = true;
    await followToolChanges(client, options.onToolsChanged, options.signal);
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
  readonly #client: Client;
  readonly #pipe: ServerPipe;

  constructor(
    client: Client,
    pipe: ServerPipe,
    transport: Route["transport"],
    closed: Promise<void>,
  ) {
    this.#client = client;
    this.#pipe = pipe;
    this.transport = transport;
    this.closed = closed;
    this.era = client.getProtocolEra() ?? "legacy";
    const server = client.getServerVersion();
    this.info = {
      name: server?.name ?? null,
      version: server?.version ?? null,
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
    const params = { name: tool.name, arguments: { ...tool.arguments } };
    if (this.era === "modern" && this.transport === "http") {
      // On this route some arguments also travel as headers, which only `callTool` sets. It gets no
      // output schema, so it validates nothing.
      const inputSchema = { ...tool.inputSchema, type: "object" as const };
      return this.#result(this.#client.callTool(params, {
        ...requestOptions(options),
        toolDefinition: { name: tool.name, inputSchema },
      }));
    }
    return this.#result(
      this.#client.request({ method: "tools/call", params }, ANYTHING, requestOptions(options)),
    );
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

/** A result schema that takes everything: results are read by us. */
const ANYTHING = {
  "~standard": {
    version: 1 as const,
    vendor: "toolscript",
    validate: (value: unknown) => ({ value }),
  },
};

interface ServerPipe extends RawResults {
  endSession(): Promise<void>;
}

function createPipe(config: ServerConfig, route: Route, deps: ConnectDeps): ServerPipe {
  if (config.kind === "stdio") return processPipe(config, deps);
  const fetch = createHeldFetch(deps.fetch, deps.maxMessageBytes);
  const options = { fetch, requestInit: { headers: { ...config.headers } } };
  const url = new URL(config.url);
  if (route.transport === "sse") {
    const pipe = new RawResults(asPipe(new SSEClientTransport(url, options)));
    return Object.assign(pipe, { endSession: () => Promise.resolve() });
  }
  const transport = new StreamableHTTPClientTransport(url, options);
  const endSession = async () => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), SESSION_END_MS);
    // A server that cannot be told forgets the session by itself.
    await abortable(transport.terminateSession(), limit.signal).catch(() => {});
    clearTimeout(timer);
  };
  return Object.assign(new RawResults(asPipe(transport)), { endSession });
}

function processPipe(config: StdioServer, deps: ConnectDeps): ServerPipe {
  const env = childEnvironment(deps.environment, config.env);
  const log: Log = (level, message, facts) =>
    deps.log(level, message, { ...facts, server: config.name });
  const pipe = new StdioPipe(
    { command: config.command, args: config.args, env, cwd: config.cwd },
    { watcher: deps.watcher, log, maxLineBytes: deps.maxMessageBytes },
  );
  return Object.assign(new RawProcessResults(pipe), { endSession: () => Promise.resolve() });
}

/** The library's transports have this shape; their message type is narrower by name only. */
function asPipe(transport: Transport): Pipe {
  return transport as unknown as Pipe;
}

function createClient(route: Route, deps: ConnectDeps): Client {
  const probe = { timeoutMs: deps.probeTimeoutMs };
  return new Client({ name: "toolscript", version: deps.clientVersion }, {
    capabilities: {},
    inputRequired: { autoFulfill: false },
    versionNegotiation: route.era === "modern" ? { mode: "auto", probe } : { mode: "legacy" },
  });
}

async function followToolChanges(
  client: Client,
  onChanged: () => void,
  signal: AbortSignal,
): Promise<void> {
  client.setNotificationHandler("notifications/tools/list_changed", onChanged);
  if (client.getProtocolEra() !== "modern") return;
  if (!client.getServerCapabilities()?.tools?.listChanged) return;
  // Without the subscription the tools still work; their list is read again at the next connect.
  await client.listen({ toolsListChanged: true }, { signal }).catch((error) =>
    client.onerror?.(error)
  );
}

function requestOptions(options: SendOptions): RequestOptions {
  return {
    timeout: Math.max(1, Math.min(options.timeoutMs, LONGEST_TIMER_MS)),
    signal: options.signal,
    onprogress: options.onProgress,
  };
}

function classify(error: unknown): Failure {
  if (error instanceof ConnectError) return error.failure;
  if (error instanceof ProtocolError) {
    return { kind: "rpc", code: error.code, message: error.message };
  }
  const status = httpStatus(error);
  if (status !== undefined) return { kind: "http", status };
  if (error instanceof SdkError) return classifySdkError(error);
  return error instanceof TypeError ? { kind: "unreachable" } : { kind: "unusable" };
}

function classifySdkError(error: SdkError): Failure {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return { kind: "timeout" };
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return { kind: "closed" };
    case SdkErrorCode.UnsupportedResultType:
      return { kind: "input_required" };
    default:
      return error.cause instanceof TypeError ? { kind: "unreachable" } : { kind: "unusable" };
  }
}

function httpStatus(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  return error instanceof SseError ? error.code : undefined;
}
