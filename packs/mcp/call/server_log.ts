/** A server's log: to the client of the run whose call is under way, and to the gateway's own. */

import type { JsonObject, Log } from "#sandbox";
import { readLogLevel } from "../../peer.ts";
import type { ServerConfig } from "../../server_config.ts";
import { shorten } from "./call_result.ts";
import type { Callers } from "./callers.ts";

export interface LogTargets {
  readonly config: Pick<ServerConfig, "name">;
  readonly callers: Callers;
  readonly log: Log;
}

const MOST_NAME = 100;

/** Tells one message, under the server's own name. */
export function tellLog(
  { level: written, data = null, logger: given }: JsonObject,
  { config: { name }, callers, log }: LogTargets,
): void {
  const logger = typeof given === "string" ? `${name}/${given.slice(0, MOST_NAME)}` : name;
  const level = readLogLevel(written);
  const text = shorten(typeof data === "string" ? data : JSON.stringify(data));
  log("debug", "A server's log", { server: name, logger, level, data: text });
  callers.find()?.peer?.log?.({ level, data, logger });
}
