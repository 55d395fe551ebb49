/** Routes to a server, tried in order within one time limit. */

import type { ServerConfig } from "../../server_config.ts";
import { connect } from "./connect.ts";
import type { ConnectDeps, Connection, Era, Route, ServerNotice } from "./connection.ts";
import { ConnectError } from "./failure.ts";

export interface ReachOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onNotice: (notice: ServerNotice) => void;
  /** Handshake that worked the last time. */
  readonly era?: Era;
}

/** Share of the remaining time for a route with others after it. It is generous, because a package
 * runner may be installing; a server that rejects the newer handshake does so soon. */
const SHARE = 1 / 3;

/** Connects by the first route that works. Throws the `ConnectError` of the last one tried. */
export async function reach(
  config: ServerConfig,
  deps: ConnectDeps,
  options: ReachOptions,
): Promise<Connection> {
  const { signal, onNotice } = options;
  const routes = routesTo(config, options.era);
  const end = performance.now() + options.timeoutMs;
  let failure = new ConnectError({ kind: "timeout" });
  for (const [index, route] of routes.entries()) {
    const remaining = end - performance.now();
    if (remaining <= 0) break;
    const limit = AbortSignal.timeout(index < routes.length - 1 ? remaining * SHARE : remaining);
    const both = AbortSignal.any([signal, limit]);
    try {
      return await connect(config, route, deps, { signal: both, onNotice });
    } catch (error) {
      signal.throwIfAborted();
      failure = error instanceof ConnectError
        ? error
        : new ConnectError({ kind: "timeout" }, { cause: error });
      if (failure.final) break;
    }
  }
  throw failure;
}

function routesTo(config: ServerConfig, era: Era = "modern"): readonly Route[] {
  switch (config.kind) {
    case "stdio": {
      const other: Era = era === "modern" ? "legacy" : "modern";
      return [{ transport: "stdio", era }, { transport: "stdio", era: other }];
    }
    case "http":
      return [{ transport: "http", era: "modern" }, { transport: "http", era: "legacy" }];
    case "sse":
      return [{ transport: "sse", era: "legacy" }];
    case "auto":
      return [
        { transport: "http", era: "modern" },
        { transport: "http", era: "legacy" },
        { transport: "sse", era: "legacy" },
      ];
    default:
      return config satisfies never;
  }
}
