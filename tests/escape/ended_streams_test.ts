/** Streams of an older server over HTTP whose requests have ended. */

import { equal, ok } from "node:assert/strict";
import { delay, openGateway } from "../support/gateway.ts";

const STREAM = { "content-type": "text/event-stream" };

interface Server extends AsyncDisposable {
  readonly url: string;
  /** Streams that the gateway has ended. */
  ended(): number;
  reconnects(): number;
}

/** Serves a tool whose answers never end, and one whose stream is to be opened again after `retry`
 * milliseconds. */
function serve(retry: string): Server {
  let ended = 0;
  let reconnects = 0;
  const events = new TextEncoder().encode("data: {}\n\n".repeat(100));
  const endless = () =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await delay(20);
        controller.enqueue(events);
      },
      cancel() {
        ended++;
      },
    });
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    if (request.method === "GET") {
      const isResumed = request.headers.has("last-event-id");
      if (!isResumed) return new Response(null, { status: 405 });
      reconnects++;
      return new Response(`id: 2\nretry: ${retry}\ndata: \n\n`, { headers: STREAM });
    }
    const { id, method, params } = await request.json();
    if (id === undefined) return new Response(null, { status: 202 });
    const answer = (result: unknown) => Response.json({ jsonrpc: "2.0", id, result });
    if (method === "initialize") {
      const serverInfo = { name: "s", version: "1" };
      const { protocolVersion } = params;
      return answer({ protocolVersion, serverInfo, capabilities: { tools: {} } });
    }
    if (method === "tools/list") {
      const tools = ["endless", "again"].map((name) => ({ name, inputSchema: { type: "object" } }));
      return answer({ tools });
    }
    if (method !== "tools/call") {
      return Response.json({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });
    }
    return params.name === "again"
      ? new Response(`id: 1\nretry: ${retry}\ndata: \n\n`, { headers: STREAM })
      : new Response(endless(), { headers: STREAM });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    ended: () => ended,
    reconnects: () => reconnects,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("streams of requests that have ended are read no more", async () => {
  await using server = serve("0");
  await using gateway = await openGateway({
    servers: { s: { url: server.url, type: "http", timeout: 2 } },
  });
  await gateway.ready();
  await gateway.run(`import { tools } from "toolscript";
    await Promise.allSettled(Array.from({ length: 5 }, () => tools.s.endless({})));
    await tools.s.again({}).catch(() => {});`);
  const until = performance.now() + 60_000;
  while (server.ended() < 5 && performance.now() < until) await delay(50);
  equal(server.ended(), 5);
  const before = server.reconnects();
  ok(before < 10, `${before} requests within two seconds`);
  await delay(2_500);
  equal(server.reconnects(), before);
});

Deno.test("a stream that is to be opened again after a long time is not opened at once", async (t) => {
  for (const retry of ["4294967296", "9".repeat(23), "9".repeat(400)]) {
    await t.step(`${retry.length} digits`, async () => {
      await using server = serve(retry);
      await using gateway = await openGateway({
        servers: { s: { url: server.url, type: "http", timeout: 1 } },
      });
      await gateway.run('import { tools } from "toolscript"; await tools.s.again({});');
      equal(server.reconnects(), 0);
    });
  }
});
