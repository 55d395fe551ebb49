/** Resources, prompts and completions of the servers that `direct` names. */

import { isObject, type JsonObject, type Log } from "#base";
import type { ServerChange, ServerPack } from "#packs";
import { gather, has, type ListedEntry, type ListKind } from "./catalogue.ts";
import { throwRefusal } from "./direct_tools.ts";
import { forwarded } from "../client/forward.ts";
import { createMcpPeer } from "../client/peer.ts";
import { createReads, type Read, type ReadRequest, type ReadsDeps } from "./reads.ts";
import {
  INVALID_PARAMS,
  type McpChange,
  McpError,
  type McpExchange,
  RESOURCE_NOT_FOUND,
} from "../types.ts";

export interface Passthrough extends AsyncDisposable {
  list(kind: ListKind, exchange: McpExchange): Promise<readonly JsonObject[]>;
  readResource(params: JsonObject, exchange: McpExchange): Promise<JsonObject>;
  getPrompt(params: JsonObject, exchange: McpExchange): Promise<JsonObject>;
  complete(params: JsonObject, exchange: McpExchange): Promise<JsonObject>;
  /** Subscribes to a resource at its server; the returned function unsubscribes. */
  watch(uri: string): () => void;
  onChange(listener: (change: McpChange) => void): () => void;
}

export interface PassthroughDeps extends ReadsDeps {
  readonly log: Log;
}

interface Watched {
  users: number;
  readonly stop: Promise<() => Promise<void>>;
}

/** Builds the passthrough of the servers that `direct` names. */
export function createPassthrough(deps: PassthroughDeps): Passthrough {
  const { servers, log } = deps;
  const reads = createReads(deps);
  const catalogues = new Map<ListKind, ReadonlyMap<string, ListedEntry>>();
  const listeners = new Set<(change: McpChange) => void>();
  const watched = new Map<string, Watched>();
  const unsubscribe = servers.map((server) => server.onNotice(noticed));

  function noticed(notice: ServerChange): void {
    if (notice.kind === "tools") return; // the registry reports tools
    for (const listener of listeners) listener(notice);
  }

  async function find(
    kind: ListKind,
    id: string,
    exchange: McpExchange,
  ): Promise<ListedEntry | undefined> {
    const entry = catalogues.get(kind)?.get(id);
    if (entry) return entry;
    const catalogue = await gather(servers, kind, { exchange, log });
    catalogues.set(kind, catalogue);
    return catalogue.get(id);
  }

  async function having(capability: string, signal: AbortSignal): Promise<readonly ServerPack[]> {
    const able = await Promise.all(
      servers.map((server) => has(server, capability, signal).catch(() => false)),
    );
    return servers.filter((_, index) => able[index]);
  }

  /** Reads a resource. A URI that no list names may match a template, so each server is tried. */
  async function readResource(params: JsonObject, read: Read): Promise<JsonObject> {
    const { exchange } = read;
    const request = { method: "resources/read", params };
    const uri = String(params.uri);
    const owner = catalogues.get("resources")?.get(uri)?.server;
    const candidates = owner ? [owner] : await having("resources", exchange.signal);
    let refusal: unknown;
    for (const server of candidates) {
      try {
        await read.confirm(server, request);
        return await passOn(server, request, exchange);
      } catch (error) {
        if (!(error instanceof McpError)) throw error;
        refusal ??= error;
        if (error.code !== INVALID_PARAMS && error.code !== RESOURCE_NOT_FOUND) throw error;
      }
    }
    throw refusal ?? new McpError(RESOURCE_NOT_FOUND, "Resource not found", { data: { uri } });
  }

  async function getPrompt(params: JsonObject, { exchange, confirm }: Read): Promise<JsonObject> {
    const owned = await find("prompts", String(params.name), exchange);
    if (!owned) {
      const name = JSON.stringify(String(params.name));
      throw new McpError(INVALID_PARAMS, `Cannot get the prompt ${name}: no such prompt`);
    }
    const request = { method: "prompts/get", params: { ...params, name: owned.id } };
    await confirm(owned.server, request);
    return await passOn(owned.server, request, exchange);
  }

  async function complete(params: JsonObject, exchange: McpExchange): Promise<JsonObject> {
    const ref = isObject(params.ref) ? params.ref as JsonObject : {};
    const isPrompt = ref.type === "ref/prompt";
    const id = String(isPrompt ? ref.name : ref.uri);
    const owned = await find(isPrompt ? "prompts" : "resourceTemplates", id, exchange);
    if (!owned) {
      throw new McpError(
        INVALID_PARAMS,
        `Cannot complete ${JSON.stringify(id)}: no such prompt or template`,
      );
    }
    const ownParams = isPrompt ? { ...params, ref: { ...ref, name: owned.id } } : params;
    return await passOn(
      owned.server,
      { method: "completion/complete", params: ownParams },
      exchange,
    );
  }

  async function startWatch(uri: string): Promise<() => Promise<void>> {
    const signal = new AbortController().signal;
    const owner = catalogues.get("resources")?.get(uri)?.server;
    const candidates = owner ? [owner] : await having("resources", signal);
    for (const server of candidates) {
      try {
        return await server.watch(uri, { signal });
      } catch (error) {
        log("debug", "A server does not report changes of a resource", {
          server: server.name,
          error: String(error),
        });
      }
    }
    return () => Promise.resolve();
  }

  return {
    readResource: (params, exchange) => reads(exchange, (read) => readResource(params, read)),
    getPrompt: (params, exchange) => reads(exchange, (read) => getPrompt(params, read)),
    complete,
    async list(kind, exchange) {
      const all = await gather(servers, kind, { exchange, log });
      catalogues.set(kind, all);
      return [...all.values()].map(({ entry }) => entry);
    },
    watch(uri) {
      const watch = watched.get(uri) ?? { users: 0, stop: startWatch(uri) };
      watch.users++;
      watched.set(uri, watch);
      let stopped = false;
      return () => {
        if (stopped) return;
        stopped = true;
        if (--watch.users > 0) return;
        watched.delete(uri);
        void watch.stop.then((stop) => stop()).catch(() => {}); // the server may be gone
      };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async [Symbol.asyncDispose]() {
      for (const stop of unsubscribe) stop();
      listeners.clear();
      const stops = [...watched.values()].map(({ stop }) => stop.then((end) => end()));
      watched.clear();
      await Promise.allSettled(stops);
    },
  };
}

/** Passes a request on to a server, as its client sent it. */
async function passOn(
  server: ServerPack,
  request: ReadRequest,
  exchange: McpExchange,
): Promise<JsonObject> {
  try {
    const { signal, onProgress } = exchange;
    const params = { ...request.params, ...forwarded(exchange) };
    const result = await server.request(request.method, params, {
      signal,
      onProgress,
      peer: createMcpPeer({ exchange: () => exchange }, exchange),
    });
    return isObject(result) ? result as JsonObject : {};
  } catch (error) {
    throwRefusal(error);
    throw error;
  }
}
