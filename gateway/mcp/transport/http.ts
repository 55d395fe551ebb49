/** `/mcp`: MCP over Streamable HTTP. Loaded at its first request, so that a gateway without MCP
 * clients starts without it. */

import type { AttachedClient } from "./attached.ts";
import type { McpHttp, McpHttpOptions } from "./http_types.ts";

type Endpoint = Omit<McpHttp, "attach">;

/** Builds the endpoint. */
export function createMcpHttp(options: McpHttpOptions): McpHttp {
  let loading: Promise<Endpoint> | undefined;
  let loaded: Endpoint | undefined;
  const attached = new Set<AttachedClient>();

  async function load(): Promise<Endpoint> {
    const { createEndpoint } = await import("./endpoint.ts");
    return loaded = createEndpoint(options);
  }

  return {
    sessions: () => loaded?.sessions() ?? 0,
    handle: async (request, body) => await (await (loading ??= load())).handle(request, body),
    async attach(request, onLeft) {
      const { attachClient } = await import("./attached.ts");
      const client = attachClient(request, {
        ...options,
        onLeft() {
          attached.delete(client);
          onLeft();
        },
      });
      attached.add(client);
      return client.response;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...attached].map((client) => client[Symbol.asyncDispose]()));
      await (await loading)?.[Symbol.asyncDispose]();
    },
  };
}
