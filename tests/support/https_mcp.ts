/** An MCP server over HTTPS, which may demand a certificate, is its own authorization server, and has a
 * proxy in front of it. */

import { once } from "node:events";
import { createServer as createProxy, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";

export interface HttpsServerOptions {
  readonly cert: string;
  readonly key: string;
  /** Authority of the certificate that a client must show; none is asked for without it. */
  readonly clientCa?: string;
}

export interface Opened extends AsyncDisposable {
  readonly port: number;
}

/** Opens the server. Its tool is named for the certificate that the client showed. */
export async function openHttpsMcp(options: HttpsServerOptions): Promise<Opened> {
  const server = createServer({
    cert: await Deno.readTextFile(options.cert),
    key: await Deno.readTextFile(options.key),
    ...(options.clientCa === undefined ? {} : {
      ca: await Deno.readTextFile(options.clientCa),
      requestCert: true,
      rejectUnauthorized: true,
    }),
  }, (request, response) => {
    // A client may leave in the middle of its request.
    answer(request, response).catch(() => response.destroy());
  });
  server.on("tlsClientError", () => {}); // it trusts another authority, or shows no certificate
  return await listen(server);
}

/** Metadata, and a token that is named for the certificate. */
function answerOfIssuer({ url = "", headers }: IncomingMessage, subject: string) {
  const issuer = `https://${headers.host}`;
  if (url === "/.well-known/oauth-authorization-server") {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      response_types_supported: ["code"],
      grant_types_supported: ["client_credentials"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      code_challenge_methods_supported: ["S256"],
    };
  }
  if (url !== "/token") return undefined;
  return { access_token: `token-for-${subject}`, token_type: "Bearer", expires_in: 3600 };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = (await buffer(request)).toString();
  const subject = (request.socket as TLSSocket).getPeerCertificate?.()?.subject?.CN ?? "anyone";
  const granted = answerOfIssuer(request, subject);
  if (granted) {
    response.writeHead(200, { "content-type": "application/json" });
    return void response.end(JSON.stringify(granted));
  }
  if (request.method !== "POST") return void response.writeHead(405).end();
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return void response.writeHead(202).end();
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      serverInfo: { name: "https", version: "1" },
      capabilities: { tools: {} },
    },
    "tools/list": {
      tools: [{ name: `for_${subject}`, inputSchema: { type: "object" } }],
    },
  };
  const result = results[method];
  const body = result === undefined ? { error: { code: -32601, message: "none" } } : { result };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
}

/** Opens a proxy that takes every connection to one port of this machine. */
export async function openProxy(port: number): Promise<Opened & { readonly hosts: string[] }> {
  const hosts: string[] = [];
  const sockets = new Set<Socket>();
  const server = createProxy((_, response) => void response.writeHead(400).end());
  server.on("connect", (request, client: Socket) => {
    hosts.push(request.url ?? "");
    const target = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      target.pipe(client).pipe(target);
    });
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on("error", () => {}); // the other end may leave first
    }
  });
  const opened = await listen(server);
  return {
    ...opened,
    hosts,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await opened[Symbol.asyncDispose]();
    },
  };
}

async function listen(server: Server | ReturnType<typeof createProxy>): Promise<Opened> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
