/** `/mcp`: MCP over Streamable HTTP. Loaded at its first request, so that a gateway without MCP
 * clients starts without it. */

import type { Log } from "#base";
import type { McpBackend } from "../types.ts";

/** Builds the endpoint. */
export function createMcpHttp(options: McpHttpOptions): McpHttp {
  let loading: Promise<McpHttp> | undefined;
  let loaded: McpHttp | undefined;

  async function load(): Promise<McpHttp> {
    const { createEndpoint } = await import("./endpoint.ts");
    return loaded = createEndpoint(options);
  }

  return {
    sessions: () => loaded?.sessions() ?? 0,
    handle: async (request, body) => await (await (loading ??= load())).handle(request, body),
    async [Symbol.asyncDispose]() {
      await (await loading)?.[Symbol.asyncDispose]();
    },
  };
}

export interface McpHttpOptions {
  readonly backend: McpBackend;
  readonly newId: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly maxBodyBytes: number;
  /** Maximum number of sessions of older clients; 256. */
  readonly most?: number;
  /** Time after which an unused session is ended; 30 minutes. */
  readonly idleMs?: number;
  readonly log: Log;
}

export interface McpHttp extends AsyncDisposable {
  /** Handles one request whose sender, type and size were checked; `body` is its JSON. */
  handle(request: Request, body: unknown): Promise<Response>;
  /** Number of open sessions. */
  sessions(): number;
}
