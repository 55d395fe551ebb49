/** What goes along with a request that is passed on to a server. */

import { isObject, type JsonObject } from "#sandbox";
import type { McpExchange } from "./types.ts";

const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
/** Where `toolscript mcp` tells a gateway which client it speaks for. */
export const CLIENT_KEY = "toolscript/client";
const LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel";

/** The parameters beside a method's own: what the client can do is what the server may ask for, and
 * its answers go back to the server that asked. */
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

/** The same, for a gateway that stands between: with the client's name, for its statistics. */
export function relayed(exchange: McpExchange): JsonObject {
  const { _meta: meta, ...rest } = forwarded(exchange);
  if (exchange.client === undefined || !isObject(meta)) return { _meta: meta ?? {}, ...rest };
  return { _meta: { ...meta, [CLIENT_KEY]: exchange.client }, ...rest };
}
