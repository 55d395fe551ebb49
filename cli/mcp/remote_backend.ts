/** MCP backend of a gateway in another process, through its `/mcp`. */

import { isObject, type JsonObject, Listeners, type Log } from "#base";
import { type McpBackend, type McpChange, McpError, type McpExchange, relayed } from "#gateway/mcp";
import type { Client } from "../client.ts";
import { takenBack } from "./taken_back.ts";
import { ConnectError, connectRemote, type ServerNotice } from "#packs";

export interface RemoteBackendOptions {
  readonly client: Client;
  readonly fetch: typeof fetch;
  readonly log: Log;
  readonly version: string;
}

export type RemoteBackend =
  & Pick<McpBackend, "handle" | "watch" | "onChange" | "withdrawal">
  & AsyncDisposable;

const CONNECT_MS = 10_000;
/** Effectively no time limit: the gateway has its own. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Connects to `/mcp` of a gateway; requests throw `ConnectError` once it has ended. */
export async function connectBackend(options: RemoteBackendOptions): Promise<RemoteBackend> {
  const { client, fetch, log, version } = options;
  const { url, token } = client;
  const listeners = new Listeners<McpChange>();
  const exchanges = new Set<McpExchange>();
  const connection = await connectRemote({
    url: `${url}/mcp`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    fetch,
    log,
    clientVersion: version,
    signal: AbortSignal.timeout(CONNECT_MS),
    onNotice: noticed,
  });

  function noticed(notice: ServerNotice): void {
    if (notice.kind !== "log") {
      listeners.tell(notice);
      return;
    }
    // All requests come from one client, so any open request can deliver the message.
    const [exchange] = exchanges;
    const { level, data, logger } = notice.params;
    exchange?.onLog(
      level as Parameters<McpExchange["onLog"]>[0],
      data,
      typeof logger === "string" ? logger : undefined,
    );
  }

  return {
    async handle({ method, params }, exchange) {
      const { signal, onProgress } = exchange;
      exchanges.add(exchange);
      try {
        const result = await connection.request(method, { ...params, ...relayed(exchange) }, {
          timeoutMs: NO_LIMIT_MS,
          signal,
          onProgress: onProgress && ((progress) => onProgress(progress as Progress)),
        });
        return isObject(result) ? result as JsonObject : {};
      } catch (error) {
        const failure = error instanceof ConnectError ? error.failure : undefined;
        if (failure?.kind !== "rpc") throw error;
        throw new McpError(failure.code, failure.message, { cause: error, data: failure.data });
      } finally {
        exchanges.delete(exchange);
      }
    },
    watch(uris) {
      const stops = uris.map((uri) => connection.watch(uri, { timeoutMs: CONNECT_MS }));
      return () =>
        void Promise.allSettled(stops.map(async (stop) => await (await stop)())).catch(() => {});
    },
    onChange: listeners.add,
    withdrawal(id, until) {
      const withdrawn = new AbortController();
      // Where the gateway cannot tell, the question stays until it is answered here.
      takenBack(client, id, until).then(() => withdrawn.abort(), () => {});
      return withdrawn.signal;
    },
    async [Symbol.asyncDispose]() {
      listeners.clear();
      await connection.close();
    },
  };
}

type Progress = Parameters<NonNullable<McpExchange["onProgress"]>>[0];
