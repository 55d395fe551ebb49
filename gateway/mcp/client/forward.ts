/** Parameters added to a request that is passed on to a server. */

import { isAbsolute } from "node:path";
import type { JsonObject } from "#base";
import type { McpExchange } from "../types.ts";

const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
/** Header of `POST /attach` that names the working folder of the client, percent-encoded. */
export const CWD_HEADER = "toolscript-cwd";
const MAX_PATH = 4_096;
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

/** Reads the working folder of a client; undefined where it is no absolute path. */
export function readCwd(value: unknown): string | undefined {
  return typeof value === "string" && isAbsolute(value) ? value.slice(0, MAX_PATH) : undefined;
}
