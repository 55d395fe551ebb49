/** Parameters added to a request that is passed on to a server. */

import { isObject, type JsonObject } from "#base";
import type { McpExchange } from "../types.ts";

const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
/** Key of `_meta` by which `toolscript mcp` names its client to a gateway. */
export const CLIENT_KEY = "toolscript/client";
const LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel";

/** Builds the parameters beside those of the method: the capabilities of the client, which decide
 * what the server may ask for, and the client's answers to the server. */
export function forwarded(exchange: McpExchange): JsonObject {
  const { meta, capabilities, logLevel, inputResponses, requestState } = exchange;
  return {
    _meta: {
      ...meta,
      [CAPABILITIES_KEY]: capabilities,
      ...(logLevel === undefined ? {} : { [LOG_LEVEL_KEY]: logLevel }),
    },
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

/** Builds the same for a gateway in between: with the name of the client, for its statistics. */
export function relayed(exchange: McpExchange): JsonObject {
  const { _meta: meta, ...rest } = forwarded(exchange);
  if (exchange.client === undefined || !isObject(meta)) return { _meta: meta ?? {}, ...rest };
  return { _meta: { ...meta, [CLIENT_KEY]: exchange.client }, ...rest };
}
