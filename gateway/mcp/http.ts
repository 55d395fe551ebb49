/** `/mcp`: MCP over Streamable HTTP. Loaded with its first request, so that a gateway whose clients
 * speak no MCP starts without it. */

import type { Log } from "#sandbox";
import type { McpBackend } from "./types.ts";

export interface McpHttpOptions {
  readonly backend: McpBackend;
  readonly newId: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly maxBodyBytes: number;
  /** The most sessions of older clients at a time; 256. */
  readonly most?: number;
  /** A session that nobody used for so long is ended; 30 minutes. */
  readonly idleMs?: number;
  readonly log: Log;
}

export interface McpHttp extends AsyncDisposable {
  /** Answers one request whose sender, type and size were checked; `body` is its JSON. */
  handle(request: Request, body: unknown): Promise<Response>;
  /** Sessions that are open. */
  sessions(): number;
}

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
