/** Endpoint `/mcp`, for clients of both eras of the protocol. */

import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
} from "@modelcontextprotocol/server";
import type { McpHttp, McpHttpOptions } from "./http_types.ts";
import { createProtocolServer } from "./protocol_server.ts";
import { createSessions, refuse } from "./sessions.ts";
import { subscribedResources } from "./open_requests.ts";
import { type McpChange, McpError } from "../types.ts";
import { boundUnread } from "./unread.ts";

const MAX_SUBSCRIPTIONS = 256;
const PARSE_ERROR = -32700;

/** Builds the endpoint. */
export function createEndpoint(options: McpHttpOptions): Omit<McpHttp, "attach"> {
  const { backend, log } = options;
  const bus = new InMemoryServerEventBus();
  const modern = createMcpHandler(
    () => createProtocolServer(backend, { era: "modern", notify: false }),
    {
      legacy: "reject",
      bus,
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      maxRequestBodySize: options.maxBodyBytes,
      onerror: (error) => log("debug", "An MCP request was refused", { error: error.message }),
    },
  );
  const sessions = createSessions({
    ...options,
    createServer: () => createProtocolServer(backend, { era: "legacy", notify: true }),
  });
  const unsubscribe = backend.onChange((change) => bus.publish(eventOf(change)));
  return {
    sessions: sessions.count,
    async handle(request, body) {
      if (request.method === "POST" && body === undefined) {
        return refuse(400, "Parse error: the body is not valid JSON", PARSE_ERROR);
      }
      if (await isLegacyRequest(request, body)) return await sessions.handle(request, body);
      const answer = () => modern.fetch(request, { parsedBody: body });
      try {
        const uris = subscribedResources(body);
        if (uris.length === 0) return boundUnread(await answer());
        const begin = () => backend.watch(uris);
        return await whileOpen(answer, { begin, signal: request.signal });
      } catch (error) {
        if (error instanceof McpError) return refuse(400, error.message, error.code);
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      unsubscribe();
      await Promise.all([modern.close(), sessions[Symbol.asyncDispose]()]);
    },
  };
}

interface Span {
  /** Returns the function that ends what it begins. */
  readonly begin: () => () => void;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/** Lets something last until the body of a response ends, which it does at once where a subscription
 * is refused. */
async function whileOpen(
  answer: () => Promise<Response>,
  { begin, signal }: Span,
): Promise<Response> {
  const end = begin();
  signal.addEventListener("abort", end, { once: true });
  try {
    return boundUnread(await answer(), end);
  } catch (error) {
    end();
    throw error;
  }
}

function eventOf(change: McpChange) {
  if (change.kind === "resource") return { kind: "resource_updated" as const, uri: change.uri };
  return { kind: `${change.kind}_list_changed` as const };
}
