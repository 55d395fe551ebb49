/** A real MCP server over HTTP that wants tokens of an issuer. */

import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import type { IssuedToken } from "./issuer.ts";

/** Part of an issuer that a server asks about tokens. */
export interface TokenSource {
  readonly url: string;
  readonly tokens: {
    get(token: string): IssuedToken | undefined | Promise<IssuedToken | undefined>;
  };
}

export interface Resource extends AsyncDisposable {
  /** Address of the MCP endpoint. */
  readonly url: string;
  /** Authorization headers of all requests. */
  readonly sent: (string | null)[];
  /** Answer of the endpoint instead of the right one. */
  answer?: (request: Request) => Response | undefined;
  /** Scope that a refusal names. */
  scope?: string;
  /** False where there are no metadata of the resource. */
  hasMetadata: boolean;
}

const TOOLS = [
  { name: "whoami", description: "Names the user", inputSchema: { type: "object" as const } },
  { name: "write", description: "Needs more", inputSchema: { type: "object" as const } },
];

/** Starts the server on this machine. */
export function startResource(issuer: TokenSource): Resource {
  const sent: (string | null)[] = [];
  const handlers = new Map<string, ReturnType<typeof createMcpHandler>>();

  function handlerOf(user: string) {
    const handler = handlers.get(user) ?? createMcpHandler(() => createServer(user));
    handlers.set(user, handler);
    return handler;
  }

  function refuse(status: number, error: string, scope?: string): Response {
    const metadata = resource.hasMetadata
      ? `, resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
      : "";
    const need = scope === undefined ? "" : `, scope="${scope}"`;
    const challenge = `Bearer error="${error}"${metadata}${need}`;
    return new Response("", { status, headers: { "www-authenticate": challenge } });
  }

  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === "/.well-known/oauth-protected-resource/mcp" && resource.hasMetadata) {
        return Response.json({ resource: `${origin}/mcp`, authorization_servers: [issuer.url] });
      }
      if (pathname.startsWith("/.well-known/oauth-authorization-server")) {
        return await fetch(`${issuer.url}${pathname}`);
      }
      if (pathname !== "/mcp") return new Response("Not found", { status: 404 });
      const header = request.headers.get("authorization");
      sent.push(header);
      const other = resource.answer?.(request);
      if (other) return other;
      const token = await issuer.tokens.get(header?.replace("Bearer ", "") ?? "");
      if (!token || token.revoked) return refuse(401, "invalid_token", resource.scope);
      if (request.method === "POST") {
        const text = await request.clone().text();
        const isWrite = text.includes('"name":"write"');
        if (isWrite && !token.scope.split(" ").includes("write")) {
          return refuse(403, "insufficient_scope", "write");
        }
      }
      return await handlerOf(token.user).fetch(request);
    },
  );
  const origin: string = `http://127.0.0.1:${server.addr.port}`;
  const resource: Resource = {
    url: `${origin}/mcp`,
    sent,
    hasMetadata: true,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return resource;
}

function createServer(user: string): Server {
  const server = new Server({ name: "guarded", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: TOOLS }));
  server.setRequestHandler("tools/call", ({ params }) => {
    return { content: [{ type: "text" as const, text: `${user} ${params.name}` }] };
  });
  return server;
}
