/** Resources, prompts and completions of the servers that `direct` names. */

import { isObject, type JsonObject, Listeners, type Log } from "#base";
import { type Peer, type ServerChange, type ServerPack, unconfirmedState } from "#packs";
import type { ListKind } from "./catalogue.ts";
import { createKeptLists } from "./kept_lists.ts";
import { throwRefusal } from "./direct_tools.ts";
import { forwarded, sendAnswered } from "../client/forward.ts";
import { createMcpPeer } from "../client/peer.ts";
import { mergeChanges } from "./merged_changes.ts";
import { createReads, type Read, type ReadRequest, type ReadsDeps } from "./reads.ts";
import {
  INVALID_PARAMS,
  type McpChange,
  McpError,
  type McpExchange,
  REFUSED,
  RESOURCE_NOT_FOUND,
} from "../types.ts";
import type { ShortNames } from "./short_names.ts";
import { createWatches } from "./watches.ts";

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
  readonly servers: readonly ServerPack[];
  /** Names of servers that are neither watched nor asked for completions: a person would be asked at
   * every key. */
  readonly asking: readonly string[];
  readonly names: ShortNames;
  readonly log: Log;
}

/** Builds the passthrough of the servers that `direct` names. */
export function createPassthrough(deps: PassthroughDeps): Passthrough {
  const { servers, asking } = deps;
  const reads = createReads(deps);
  const lists = createKeptLists({ ...deps, onLateStart });
  const listeners = new Listeners<McpChange>();
  const changes = mergeChanges((change) => listeners.tell(change));
  const watches = createWatches({ ...deps, candidates: resourceServers });
  const unsubscribe = servers.map((server) => server.onNotice(noticed));

  function noticed(notice: ServerChange): void {
    if (notice.kind === "tools") return; // the registry reports tools
    if (notice.kind !== "resource") lists.forget();
    else if (!watches.isWatched(notice.uri)) return;
    changes.add(notice);
  }

  function onLateStart(): void {
    for (const kind of ["resources", "prompts"] as const) noticed({ kind });
  }

  /** Servers that may have a resource: its owner alone, or any where no list has the URI. */
  async function resourceServers(uri: string, signal: AbortSignal): Promise<readonly ServerPack[]> {
    const owner = await lists.ownerOf(uri);
    return owner ? [owner] : await lists.withResources(signal);
  }

  async function readResource(params: JsonObject, read: Read): Promise<JsonObject> {
    const { exchange } = read;
    const request = { method: "resources/read", params };
    const uri = String(params.uri);
    let refusal: unknown;
    for (const server of await resourceServers(uri, exchange.signal)) {
      try {
        await read.confirm(server, request);
        return await passOn({ server, request }, read);
      } catch (error) {
        if (!(error instanceof McpError)) throw error;
        refusal ??= error;
        if (error.code !== INVALID_PARAMS && error.code !== RESOURCE_NOT_FOUND) throw error;
      }
    }
    throw refusal ?? new McpError(RESOURCE_NOT_FOUND, "Resource not found", { data: { uri } });
  }

  async function getPrompt(params: JsonObject, read: Read): Promise<JsonObject> {
    const owned = await lists.find("prompts", String(params.name), read.exchange);
    if (!owned) {
      const name = JSON.stringify(String(params.name));
      throw new McpError(INVALID_PARAMS, `Cannot get the prompt ${name}: no such prompt`);
    }
    const request = { method: "prompts/get", params: { ...params, name: owned.id } };
    await read.confirm(owned.server, request);
    return await passOn({ server: owned.server, request }, read);
  }

  async function complete(params: JsonObject, exchange: McpExchange): Promise<JsonObject> {
    const ref = isObject(params.ref) ? params.ref as JsonObject : {};
    const isPrompt = ref.type === "ref/prompt";
    const id = String(isPrompt ? ref.name : ref.uri);
    const kind = isPrompt ? "prompts" : "resourceTemplates";
    const owned = await lists.find(kind, id, exchange);
    if (!owned) {
      const message = `Cannot complete ${JSON.stringify(id)}: no such prompt or template`;
      throw new McpError(INVALID_PARAMS, message);
    }
    if (asking.includes(owned.server.name)) throw uncompleted(id, owned.server);
    const ownParams = isPrompt ? { ...params, ref: { ...ref, name: owned.id } } : params;
    const request = { method: "completion/complete", params: ownParams };
    return await send({ server: owned.server, request, peer: peerOf(exchange) }, exchange);
  }

  return {
    readResource: (params, exchange) => reads(exchange, (read) => readResource(params, read)),
    getPrompt: (params, exchange) => reads(exchange, (read) => getPrompt(params, read)),
    complete,
    async list(kind, exchange) {
      const all = await lists.list(kind, exchange);
      return [...all.values()].map(({ entry }) => entry);
    },
    watch: watches.watch,
    onChange: listeners.add,
    async [Symbol.asyncDispose]() {
      for (const stop of unsubscribe) stop();
      changes[Symbol.dispose]();
      listeners.clear();
      await watches[Symbol.asyncDispose]();
    },
  };
}

function uncompleted(id: string, { name }: ServerPack): McpError {
  const why = `${unconfirmedState([`${name}.*`])}: type the value yourself`;
  return new McpError(REFUSED, `Cannot complete ${JSON.stringify(id)}: ${why}`);
}

interface PassedRequest {
  readonly server: ServerPack;
  readonly request: ReadRequest;
  readonly answers?: JsonObject;
  readonly peer: Peer;
}

/** Passes a request on to a server, and the answers to its questions. */
function passOn(
  passed: Omit<PassedRequest, "peer">,
  { exchange, askAll }: Read,
): Promise<JsonObject> {
  const peer = peerOf(exchange);
  return sendAnswered((answers) => send({ ...passed, answers, peer }, exchange), { askAll });
}

function peerOf(exchange: McpExchange): Peer {
  return createMcpPeer({ exchange: () => exchange }, exchange);
}

async function send(
  { server, request, answers, peer }: PassedRequest,
  exchange: McpExchange,
): Promise<JsonObject> {
  try {
    const { signal, onProgress } = exchange;
    const params = { ...request.params, ...forwarded(exchange), ...answers };
    const result = await server.request(request.method, params, {
      signal,
      onProgress,
      peer,
    });
    return isObject(result) ? result as JsonObject : {};
  } catch (error) {
    throwRefusal(error, server.name);
    throw error;
  }
}
