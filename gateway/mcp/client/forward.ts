/** Requests that are passed on to a server: the parameters added to them, and the answers. */

import { isAbsolute } from "node:path";
import type { JsonObject } from "#base";
import { McpError, type McpExchange, REFUSED } from "../types.ts";
import type { WorkContext } from "./suspended_work.ts";

const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
/** Header of `POST /attach` that names the working folder of the client, percent-encoded. */
export const CWD_HEADER = "toolscript-cwd";
const MAX_PATH = 4_096;
/** Limit of questions in reply to one request. */
const MOST_ROUNDS = 100;
const LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel";

/** Builds the parameters beside those of the method: the capabilities of the client decide what the
 * server may ask for. */
export function forwarded({ meta, capabilities, logLevel }: McpExchange): JsonObject {
  return {
    _meta: {
      ...meta,
      [CAPABILITIES_KEY]: capabilities,
      ...(logLevel === undefined ? {} : { [LOG_LEVEL_KEY]: logLevel }),
    },
  };
}

/** Sends a request to one server, and repeats it with the answers of the client and the state of the
 * server while that asks. They are sent nowhere else. Throws `McpError` without answers in time. */
export async function sendAnswered(
  send: (answers: JsonObject) => Promise<JsonObject>,
  { askAll }: Pick<WorkContext, "askAll">,
): Promise<JsonObject> {
  let result = await send({});
  for (let round = 0; result.resultType === "input_required"; round++) {
    if (round > MOST_ROUNDS) {
      throw new McpError(REFUSED, `Cannot go on: the server asked ${MOST_ROUNDS} times`);
    }
    const { inputRequests = {}, requestState } = result;
    const inputResponses = await askAll(inputRequests);
    if (!inputResponses) {
      throw new McpError(
        REFUSED,
        "Cannot go on: the questions of the server got no answer in time: send the request again",
      );
    }
    result = await send({
      inputResponses,
      ...(typeof requestState === "string" ? { requestState } : {}),
    });
  }
  return result;
}

/** Reads the working folder of a client; undefined where it is no absolute path. */
export function readCwd(value: unknown): string | undefined {
  return typeof value === "string" && isAbsolute(value) ? value.slice(0, MAX_PATH) : undefined;
}
