/** Answers to the first requests of a client, which need no gateway: for a process in front of it that
 * does not speak MCP itself. */

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LATEST_PROTOCOL_VERSION,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { isObject, type JsonObject } from "#base";
import { ownTools } from "../run/definition.ts";
import type { McpAbout, McpBackend } from "../types.ts";
import { serveMcpStdio } from "./stdio.ts";

/** Results by method, each as the protocol has it. */
export interface FirstAnswers {
  readonly legacy: {
    /** Versions that a client may ask for; the answer has its own for any other. */
    readonly versions: readonly string[];
    readonly results: JsonObject;
  };
  readonly modern: { readonly versions: readonly string[]; readonly results: JsonObject };
}

const CLIENT = { name: "toolscript", version: "1" };

/** Asks a server that has no gateway behind it. */
export async function firstAnswers(about: McpAbout): Promise<FirstAnswers> {
  const versions = SUPPORTED_PROTOCOL_VERSIONS;
  const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: CLIENT };
  const legacy = await ask(about, [["initialize", params], ["ping", {}], ["tools/list", {}]]);
  const modernVersion = "2026-07-28";
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: modernVersion,
    [CLIENT_INFO_META_KEY]: CLIENT,
    [CLIENT_CAPABILITIES_META_KEY]: {},
  };
  const modern = await ask(about, [["server/discover", { _meta }], ["tools/list", { _meta }]]);
  return {
    legacy: { versions, results: legacy },
    modern: { versions: [modernVersion], results: modern },
  };
}

/** Sends these requests over one connection; leaves out those that only a gateway can answer. */
async function ask(
  about: McpAbout,
  requests: readonly (readonly [method: string, params: JsonObject])[],
): Promise<JsonObject> {
  const own = requests.filter(([method]) => method !== "tools/list" || !about.direct);
  const lines = own.map(([method, params], id) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`
  );
  const results: Record<string, JsonObject> = {};
  const server = serveMcpStdio(withoutGateway(about), {
    stdin: new Blob(lines).stream(),
    write(bytes) {
      const { id, result } = JSON.parse(new TextDecoder().decode(bytes));
      const [method] = own[id] ?? [];
      if (method !== undefined && isObject(result)) results[method] = result as JsonObject;
      return Promise.resolve();
    },
    maxMessageBytes: 10_000,
    onError(error) {
      throw error;
    },
  });
  await server.closed;
  return results;
}

function withoutGateway(about: McpAbout): McpBackend {
  return {
    about: () => about,
    handle: () => Promise.resolve({ tools: ownTools(about) }),
    watch: () => () => {},
    withdrawal: () => undefined,
    onChange: () => () => {},
  };
}
