/** A server's log: for the client of the current call, and for the gateway's log. */

import type { JsonObject, Log } from "#base";
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

/** Logs one message under the server's name. */
export function tellLog(
  { level: sentLevel, data = null, logger: own }: JsonObject,
  { config: { name }, callers, log }: LogTargets,
): void {
  const logger = typeof own === "string" ? `${name}/${own.slice(0, MOST_NAME)}` : name;
  const level = readLogLevel(sentLevel);
  const text = shorten(typeof data === "string" ? data : JSON.stringify(data));
  log("debug", "A server's log", { server: name, logger, level, data: text });
  callers.find()?.peer?.log?.({ level, data, logger });
}
