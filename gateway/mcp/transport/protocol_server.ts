/** Server of the MCP library in front of a backend, one for each connection or request. */

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  SdkError,
  SdkErrorCode,
  type Server,
  type ServerCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { FollowingController, isObject, type JsonObject, ownText } from "#base";
import { readTraceContext, traceOf } from "../../trace_context.ts";
import { QUESTION_KEY } from "../client/suspended_work.ts";
import { checkCount, checkUri } from "./open_requests.ts";
import { RawServer } from "./raw_server.ts";
import {
  MCP_METHODS,
  type McpBackend,
  type McpChange,
  type McpExchange,
  type McpMethod,
} from "../types.ts";

const MAX_CLIENT = 100;
/** Maximum questions in one request: a run may ask about each of its calls. */
const MAX_ROUNDS = 1_000;
/** Methods that every backend has, beside `tools/…`. */
const RESOURCES = ["resources/list", "resources/templates/list", "resources/read"];
const SUBSCRIBE = "resources/subscribe";
const UNSUBSCRIBE = "resources/unsubscribe";

/** Builds a server without a connection. With `notify` it reports changes while it is connected; a
 * server for a single request does not. */
export function createProtocolServer(
  backend: McpBackend,
  { era, notify }: { readonly era: "modern" | "legacy"; readonly notify: boolean },
): Server {
  const { version, instructions, direct, askTimeoutMs } = backend.about();
  const server = new RawServer({ name: "toolscript", title: "Toolscript", version }, {
    instructions,
    capabilities: capabilitiesOf(direct),
    inputRequired: { maxRounds: MAX_ROUNDS, roundTimeoutMs: askTimeoutMs },
  });
  ignoreUnanswered(server, backend);
  const watched = new Map<string, () => void>();
  // The library has a type for each method; a backend handles all of them the same way.
  const on = server.setRequestHandler.bind(server) as unknown as OnRequest;
  for (const method of MCP_METHODS) {
    if (!offers(method, direct) || method === SUBSCRIBE || method === UNSUBSCRIBE) continue;
    on(method, (request, context) => answer({ backend, server, method, request, context }));
  }
  if (notify) notifyOfChanges({ server, backend, era, watched });
  if (notify && direct) {
    on(SUBSCRIBE, ({ params }) => {
      const uri = String(params?.uri);
      checkUri(uri);
      if (!watched.has(uri)) {
        checkCount(watched.size + 1);
        watched.set(uri, backend.watch([uri]));
      }
      return Promise.resolve({});
    });
    on(UNSUBSCRIBE, ({ params }) => {
      const uri = String(params?.uri);
      watched.get(uri)?.();
      watched.delete(uri);
      return Promise.resolve({});
    });
  }
  return server;
}

/** Makes questions without an answer resolve instead of failing the request: the work continues.
 * A question that is taken back is cancelled at the client. */
function ignoreUnanswered(server: Server, backend: Pick<McpBackend, "withdrawal">): void {
  const { createMessage } = server;
  const send = server.request.bind(server) as unknown as Send;
  const patient: Send = async (request, options) => {
    using ended = new FollowingController(options?.signal);
    const id = markOf(request.params);
    const withdrawn = id === undefined ? undefined : backend.withdrawal(id, ended.signal);
    const signal = withdrawn ? AbortSignal.any([ended.signal, withdrawn]) : options?.signal;
    try {
      return await send(request, { ...options, signal });
    } catch (error) {
      if (options?.signal?.aborted) throw error;
      if (isMarked(request.params)) return undefined;
      if (request.method !== "elicitation/create" || !isLate(error)) throw error;
      return { action: "cancel" };
    } finally {
      ended.abort();
    }
  };
  const sample: Sample = async (params, options) => {
    try {
      return await createMessage.call(server, params, options);
    } catch (error) {
      if (!isMarked(params) || options?.signal?.aborted) throw error;
      return undefined;
    }
  };
  server.request = patient as unknown as Server["request"];
  server.createMessage = sample as unknown as Server["createMessage"];
}

type Send = (
  request: { readonly method: string; readonly params?: unknown },
  options?: { readonly signal?: AbortSignal },
) => Promise<unknown>;
type Sample = (...args: Parameters<Server["createMessage"]>) => Promise<unknown>;

function isMarked(params: unknown): boolean {
  return isObject(params) && isObject(params._meta) && params._meta[QUESTION_KEY] !== undefined;
}

/** Name of a question that can be taken back. */
function markOf(params: unknown): string | undefined {
  const mark = isObject(params) && isObject(params._meta) ? params._meta[QUESTION_KEY] : undefined;
  return typeof mark === "string" ? mark : undefined;
}

function isLate(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

interface RawRequest {
  readonly params?: Record<string, unknown>;
}

type OnRequest = (
  method: string,
  handler: (request: RawRequest, context: ServerContext) => Promise<unknown>,
) => void;

function capabilitiesOf(direct: boolean): ServerCapabilities {
  const resources = direct ? { listChanged: true, subscribe: true } : { listChanged: true };
  const own = { tools: { listChanged: true }, logging: {}, resources };
  return direct ? { ...own, prompts: { listChanged: true }, completions: {} } : own;
}

function offers(method: McpMethod, direct: boolean): boolean {
  return direct || method.startsWith("tools/") || RESOURCES.includes(method);
}

/** Builds the notification of a change. */
export function changeNotification(
  change: McpChange,
): { readonly method: string; readonly params?: { readonly uri: string } } {
  if (change.kind === "resource") {
    return { method: "notifications/resources/updated", params: { uri: change.uri } };
  }
  return { method: `notifications/${change.kind}/list_changed` };
}

interface ChangeOptions {
  readonly server: Server;
  readonly backend: McpBackend;
  readonly era: "modern" | "legacy";
  readonly watched: Map<string, () => void>;
}

function notifyOfChanges({ server, backend, era, watched }: ChangeOptions): void {
  const unsubscribe = backend.onChange((change) => {
    if (!server.transport) return;
    const isPrompts = change.kind === "prompts" && !backend.about().direct;
    // On the newest protocol the library filters resources by subscription.
    const isForeign = change.kind === "resource" && era === "legacy" && !watched.has(change.uri);
    if (isPrompts || isForeign) return;
    // The transport reports a client that has disconnected.
    server.notification(changeNotification(change)).catch(() => {});
  });
  server.onclose = () => {
    unsubscribe();
    for (const stop of watched.values()) stop();
    watched.clear();
  };
}

interface IncomingRequest {
  readonly backend: McpBackend;
  readonly server: Server;
  readonly method: McpMethod;
  readonly request: RawRequest;
  readonly context: ServerContext;
}

async function answer(
  { backend, server, method, request, context }: IncomingRequest,
): Promise<unknown> {
  const params = toJson(request.params ?? {});
  const subject = JSON.stringify([method, params.name ?? params.uri]);
  const exchange = { ...exchangeOf(server, context), subject };
  const result = await backend.handle({ method, params }, exchange);
  // Older clients need another form of results that are no objects.
  if (method !== "tools/call" || result.resultType === "input_required") return result;
  return server.projectCallToolResult(result as unknown as ToolResult, undefined);
}

type ToolResult = Parameters<Server["projectCallToolResult"]>[0];

function exchangeOf(
  server: Server,
  { mcpReq, http }: ServerContext,
): Omit<McpExchange, "subject"> {
  const { signal, _meta: meta = {}, inputResponses } = mcpReq;
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const about = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const { progressToken, ...rest } = meta;
  const name = isObject(about) ? about.name : undefined;
  const state = mcpReq.requestState();
  return {
    signal,
    connection: server,
    client: typeof name === "string" ? ownText(name.slice(0, MAX_CLIENT)) : undefined,
    capabilities: toJson(isObject(declared) ? declared : {}),
    trace: readTraceContext(meta) ?? (http?.req && traceOf(http.req)),
    meta: toJson(rest),
    inputResponses: inputResponses && toJson(inputResponses),
    requestState: typeof state === "string" ? state : undefined,
    // An older client sets its level once; the library drops what is below it.
    logLevel: envelope ? envelope[LOG_LEVEL_META_KEY] as McpExchange["logLevel"] : "debug",
    onProgress: progressToken === undefined ? undefined : (progress) => {
      const params = { ...progress, progressToken };
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {}); // the client has disconnected
    },
    onLog: (level, data, logger) => {
      mcpReq.log(level, data, logger).catch(() => {}); // the client has disconnected
    },
  };
}

/** Types parsed JSON, without its `_meta`. */
function toJson(value: object): JsonObject {
  const { _meta: _, ...rest } = isObject(value) ? value : {};
  return rest as JsonObject;
}
