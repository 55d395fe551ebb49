/** Resources, prompts and completions of the servers that the config offers directly. */

import type { ServerNotice, ServerPack } from "#packs";
import { isObject, type JsonObject, type Log } from "#sandbox";
import { gather, has, type ListKind, type Owned } from "./catalogue.ts";
import { throwRefusal } from "./direct_tools.ts";
import { forwarded } from "./forward.ts";
import type { AskClient, InputRequest } from "./held.ts";
import {
  INVALID_PARAMS,
  type McpChange,
  McpError,
  type McpExchange,
  METHOD_NOT_FOUND,
  RESOURCE_NOT_FOUND,
} from "./types.ts";

export interface Passthrough extends AsyncDisposable {
  list(kind: ListKind, exchange: McpExchange): Promise<readonly JsonObject[]>;
  readResource(params: JsonObject, exchange: McpExchange): Promise<JsonObject>;
  getPrompt(params: JsonObject, exchange: McpExchange): Promise<JsonObject>;
  complete(params: JsonObject, exchange: McpExchange): Promise<JsonObject>;
  /** Asks the owner of a resource to tell of its changes; the returned function ends that. */
  watch(uri: string): () => void;
  onChange(listener: (change: McpChange) => void): () => void;
  /** Hands a server's log and questions to whoever waits for it, until the returned function is
   * called. */
  readonly follow: (server: string, follower: Follower) => () => void;
}

/** A client that waits for a server. */
export interface Follower {
  readonly exchange: () => McpExchange | undefined;
  /** What the client says it can do. */
  readonly capabilities: JsonObject;
  /** Missing where the server can be given no answer. */
  readonly ask?: AskClient;
}

export interface PassthroughDeps {
  readonly servers: readonly ServerPack[];
  readonly log: Log;
}

interface Watched {
  users: number;
  readonly stop: Promise<() => Promise<void>>;
}

/** Builds it over the servers that are offered directly. */
export function createPassthrough({ servers, log }: PassthroughDeps): Passthrough {
  const known = new Map<ListKind, ReadonlyMap<string, Owned>>();
  const listeners = new Set<(change: McpChange) => void>();
  const followers = new Map<string, Set<Follower>>();
  const watched = new Map<string, Watched>();
  const unsubscribe = servers.map((server) =>
    server.onNotice((notice) => noticed(server.name, notice))
  );
  for (const server of servers) server.answerWith((request) => asked(server.name, request));

  function noticed(server: string, notice: ServerNotice): void {
    if (notice.kind === "log") return tellLog(server, notice.params);
    if (notice.kind === "tools") return; // the registry tells of tools
    for (const listener of listeners) listener(notice);
  }

  /** A server does not say which request a line of its log is about: it is told where there is only
   * one, so that nobody reads what belongs to another. */
  function tellLog(server: string, params: JsonObject): void {
    const { level, data, logger } = params;
    const name = typeof logger === "string" ? logger : server;
    follower(server)?.exchange()?.onLog(readLevel(level), data, name);
  }

  /** The one that waits for a server, if there is exactly one. */
  function follower(server: string): Follower | undefined {
    const [first, another] = followers.get(server) ?? [];
    return another ? undefined : first;
  }

  /** A server of the older protocol asks without saying which call it is about. */
  async function asked(server: string, request: InputRequest): Promise<JsonObject> {
    const { ask, capabilities } = follower(server) ?? {};
    const [capability = ""] = request.method.split("/");
    if (!ask || !isObject(capabilities?.[capability])) {
      throw new McpError(METHOD_NOT_FOUND, "Nobody can be asked here");
    }
    const response = await ask(request);
    if (isObject(response)) return response as JsonObject;
    if (capability === "elicitation") return { action: "cancel" };
    throw new McpError(METHOD_NOT_FOUND, "Nobody answered");
  }

  async function ask(
    server: ServerPack,
    request: { readonly method: string; readonly params: JsonObject },
    exchange: McpExchange,
  ): Promise<JsonObject> {
    const { capabilities } = exchange;
    const stop = follow(server.name, { exchange: () => exchange, capabilities });
    try {
      const { signal, onProgress } = exchange;
      const params = { ...request.params, ...forwarded(exchange) };
      const result = await server.request(request.method, params, { signal, onProgress });
      return isObject(result) ? result as JsonObject : {};
    } catch (error) {
      throwRefusal(error);
      throw error;
    } finally {
      stop();
    }
  }

  async function find(
    kind: ListKind,
    id: string,
    exchange: McpExchange,
  ): Promise<Owned | undefined> {
    const found = known.get(kind)?.get(id);
    if (found) return found;
    const fresh = await gather(servers, kind, { exchange, log });
    known.set(kind, fresh);
    return fresh.get(id);
  }

  async function having(capability: string, signal: AbortSignal): Promise<readonly ServerPack[]> {
    const able = await Promise.all(
      servers.map((server) => has(server, capability, signal).catch(() => false)),
    );
    return servers.filter((_, index) => able[index]);
  }

  function follow(server: string, follower: Follower): () => void {
    const set = followers.get(server) ?? new Set();
    followers.set(server, set.add(follower));
    return () => void set.delete(follower);
  }

  /** An address that no list names may still be one of a template: each server is asked. */
  async function readResource(params: JsonObject, exchange: McpExchange): Promise<JsonObject> {
    const uri = String(params.uri);
    const owner = known.get("resources")?.get(uri)?.server;
    const candidates = owner ? [owner] : await having("resources", exchange.signal);
    let refusal: unknown;
    for (const server of candidates) {
      try {
        return await ask(server, { method: "resources/read", params }, exchange);
      } catch (error) {
        if (!(error instanceof McpError)) throw error;
        refusal ??= error;
        if (error.code !== INVALID_PARAMS && error.code !== RESOURCE_NOT_FOUND) throw error;
      }
    }
    throw refusal ?? new McpError(RESOURCE_NOT_FOUND, "Resource not found", { data: { uri } });
  }

  async function complete(params: JsonObject, exchange: McpExchange): Promise<JsonObject> {
    const ref = isObject(params.ref) ? params.ref as JsonObject : {};
    const isPrompt = ref.type === "ref/prompt";
    const id = String(isPrompt ? ref.name : ref.uri);
    const owned = await find(isPrompt ? "prompts" : "resourceTemplates", id, exchange);
    if (!owned) {
      throw new McpError(
        INVALID_PARAMS,
        `Cannot complete: nothing is called ${JSON.stringify(id)}`,
      );
    }
    const named = isPrompt ? { ...params, ref: { ...ref, name: owned.id } } : params;
    return await ask(owned.server, { method: "completion/complete", params: named }, exchange);
  }

  async function startWatch(uri: string): Promise<() => Promise<void>> {
    const signal = new AbortController().signal;
    const owner = known.get("resources")?.get(uri)?.server;
    const candidates = owner ? [owner] : await having("resources", signal);
    for (const server of candidates) {
      try {
        return await server.watch(uri, { signal });
      } catch (error) {
        log("debug", "A server does not tell of a resource", {
          server: server.name,
          error: String(error),
        });
      }
    }
    return () => Promise.resolve();
  }

  return {
    follow,
    readResource,
    complete,
    async list(kind, exchange) {
      const all = await gather(servers, kind, { exchange, log });
      known.set(kind, all);
      return [...all.values()].map(({ entry }) => entry);
    },
    async getPrompt(params, exchange) {
      const owned = await find("prompts", String(params.name), exchange);
      if (!owned) {
        const name = JSON.stringify(String(params.name));
        throw new McpError(INVALID_PARAMS, `Cannot get the prompt ${name}: there is none`);
      }
      const named = { ...params, name: owned.id };
      return await ask(owned.server, { method: "prompts/get", params: named }, exchange);
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

const LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

function readLevel(level: unknown): typeof LEVELS[number] {
  return LEVELS.find((each) => each === level) ?? "info";
}
