/** Pipe to a server over HTTP, by the official client's transports. */

import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { createBoundedFetch } from "./bounded_fetch.ts";
import type { ConnectDeps, Route } from "./connection.ts";
import type { Pipe } from "./pipe.ts";
import { RawResults } from "./raw_results.ts";
import type { HttpServer } from "../../server_config.ts";

/** Makes the pipe to a server by one route. */
export function createHttpPipe(config: HttpServer, route: Route, deps: ConnectDeps): RawResults {
  const { auth } = deps;
  const bounded = createBoundedFetch(deps.fetch, {
    maxBytes: deps.maxMessageBytes,
    onError: (error) => pipe.explainLoss(error),
    messages: { read: (text) => pipe.read(text), refuse: (error) => pipe.refuse(error) },
    conceal: auth?.conceal,
  });
  const options = {
    fetch: auth?.observe(bounded) ?? bounded,
    requestInit: { headers: { ...config.headers } },
    ...(auth ? { authProvider: { token: auth.token, onUnauthorized: auth.onUnauthorized } } : {}),
    onInsufficientScope: "throw" as const,
    reconnectionScheduler: reconnectLater,
  };
  const url = new URL(config.url);
  const transport = route.transport === "sse"
    ? new SSEClientTransport(url, options)
    : new StreamableHTTPClientTransport(url, options);
  const pipe: RawResults = new RawResults(asPipe(transport), {
    sendMs: SEND_MS,
    endSession: async () => {
      if ("terminateSession" in transport) await transport.terminateSession();
    },
  });
  return pipe;
}

/** Time that a server has to take a reply or a notification. */
const SEND_MS = 10_000;
/** Times until a stream is opened again, whatever the server asks for: a timer takes 31 bits. */
const RECONNECT_MS = { least: 1_000, most: 300_000 };

function reconnectLater(reconnect: () => void, delayMs: number): () => void {
  const { least, most } = RECONNECT_MS;
  const timer = setTimeout(reconnect, Math.min(Math.max(delayMs, least), most));
  return () => clearTimeout(timer);
}

/** Converts the library's transports, whose message type is narrower by name only. */
function asPipe(transport: Transport): Pipe {
  return transport as unknown as Pipe;
}
