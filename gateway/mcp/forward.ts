/** What goes along with a request that is passed on to a server. */

import type { JsonObject } from "#sandbox";
import type { McpExchange } from "./types.ts";

const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
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
