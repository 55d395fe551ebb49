/** Parameters added to a request that is passed on to a server. */

import { isAbsolute } from "node:path";
import { isObject, type JsonObject } from "#base";
import type { McpExchange } from "../types.ts";

const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
/** Key of `_meta` by which `toolscript mcp` names its client to a gateway. */
export const CLIENT_KEY = "toolscript/client";
/** Key of `_meta` by which `toolscript mcp` says where its client works. */
export const CWD_KEY = "toolscript/cwd";
/** Header of `POST /attach` that says the same for all calls, percent-encoded. */
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

/** Builds the same for a gateway in between: with the name of the client, for its statistics, and
 * its working folder. */
export function relayed(exchange: McpExchange): JsonObject {
  const { _meta: meta, ...rest } = forwarded(exchange);
  const { client, cwd } = exchange;
  const own = {
    ...(client === undefined ? {} : { [CLIENT_KEY]: client }),
    ...(cwd === undefined ? {} : { [CWD_KEY]: cwd }),
  };
  return { _meta: { ...isObject(meta) ? meta as JsonObject : {}, ...own }, ...rest };
}

/** Reads the working folder of a client; undefined where it is no absolute path. */
export function readCwd(value: unknown): string | undefined {
  return typeof value === "string" && isAbsolute(value) ? value.slice(0, MAX_PATH) : undefined;
}
