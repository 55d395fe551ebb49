/** An MCP client as the peer of the servers that are called for it. */

import type { Peer } from "#packs";
import { boundPeer, waitingProgress } from "#runtime";
import type { WorkContext } from "./suspended_work.ts";
import type { McpExchange } from "../types.ts";

/** Builds the peer of one request, with bounded questions and log. Without `ask` it answers no
 * question. */
export function createMcpPeer(
  { ask, exchange: current }: Partial<WorkContext> & Pick<WorkContext, "exchange">,
  { connection, capabilities, logLevel }: McpExchange,
): Peer {
  return boundPeer({
    connection,
    capabilities: ask ? capabilities : {},
    logLevel,
    waits: true,
    onWaiting: (notice) => current()?.onProgress?.(waitingProgress(notice)),
    answer: (question, signal) => ask ? ask(question, { signal }) : Promise.resolve(undefined),
    log: ({ level, data, logger }) => current()?.onLog(level, data, logger),
  });
}
