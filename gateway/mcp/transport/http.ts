/** `/mcp`: MCP over Streamable HTTP. Loaded at its first request, so that a gateway without MCP
 * clients starts without it. */

import type { McpHttp, McpHttpOptions } from "./http_types.ts";

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
