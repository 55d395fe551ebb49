/** Replies to the requests of a server over HTTP, each of which takes a connection, and what a server
 * sends that is no message. */

import assert from "node:assert/strict";
import { sleep } from "#base";
import type { Pipe } from "../../../packs/mcp/connect/pipe.ts";
import { RawResults } from "../../../packs/mcp/connect/raw_results.ts";
import { httpServer } from "../../support/servers.ts";
import { startPack } from "./harness.ts";

const PINGS = 30;

Deno.test("few replies to a server are under way at once", async () => {
  await using remote = servePings();
  await using harness = await startPack(httpServer({ url: remote.url }));
  const { value } = await harness.pack.call("call", {}, {});
  assert.equal(value, "done");
  while (remote.counts.replies < PINGS) await sleep(5);
  assert.equal(remote.counts.most, 2);
});

Deno.test("a server that does not take a reply in time is ended", async () => {
  const { inner, isClosed } = openSilent();
  const pipe = new RawResults(inner, { sendMs: 1 });
  const errors: string[] = [];
  pipe.onerror = ({ message }) => errors.push(message);
  await pipe.send({ jsonrpc: "2.0", id: "ping", result: {} });
  assert.equal(isClosed(), true);
  assert.deepEqual(errors, ["The server does not take a reply or a notification"]);
});

Deno.test("a server that does not take a notification in time is ended", async () => {
  const { inner, sent, isClosed } = openSilent();
  const pipe = new RawResults(inner, { sendMs: 50 });
  pipe.wrap = true;
  const cancelled = (requestId: number) =>
    pipe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  const all = Promise.allSettled(Array.from({ length: 100 }, (_, at) => cancelled(at)));
  assert.ok(sent.length <= 2);
  await all;
  assert.equal(isClosed(), true);
  assert.equal(sent.length, 2);
});

Deno.test("a stream that answers a notification is not read", async () => {
  let passed = 0;
  let isCancelled = false;
  const event = new TextEncoder().encode(`id: ${"x".repeat(8_000)}\n\n`);
  await using remote = serve((answer) => `data: ${JSON.stringify(answer)}\n\n`, {
    notified: () =>
      new ReadableStream({
        async pull(controller) {
          await sleep(0);
          passed += event.length;
          controller.enqueue(event);
        },
        cancel: () => void (isCancelled = true),
      }),
  });
  await using harness = await startPack(httpServer({ url: remote.url }));
  const { value } = await harness.pack.call("call", {}, {});
  assert.equal(value, "done");
  while (!isCancelled) await sleep(5);
  assert.ok(passed < 8_000_000, `${passed} bytes`);
});

Deno.test("a server that sends what is no message without end is ended", async (t) => {
  const cases = { "no JSON": "x", "no message": "{}", "an unknown message": '{"jsonrpc":"2.0"}' };
  for (const [name, data] of Object.entries(cases)) {
    await t.step(name, async () => {
      await using remote = serve(() => endless(`data: ${data}\n\n`.repeat(100)));
      await using harness = await startPack(httpServer({ url: remote.url }));
      const call = harness.pack.call("call", {}, {});
      await assert.rejects(call, { name: "PackError", code: "unavailable" });
      const lines = harness.logged.filter((line) => line.includes("reports an error"));
      assert.ok(lines.length <= 1_001, `${lines.length} lines`);
      assert.ok(lines.at(-1)?.includes("The server sends what is no message"));
    });
  }
});

/** A pipe to a server that takes nothing. */
function openSilent() {
  let isClosed = false;
  const sent: unknown[] = [];
  const inner: Pipe = {
    start: () => Promise.resolve(),
    send(message) {
      sent.push(message);
      return new Promise(() => {});
    },
    close: () => Promise.resolve(void (isClosed = true)),
  };
  return { inner, sent, isClosed: () => isClosed };
}

/** A stream of the same text, once in a turn of the event loop. */
function endless(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    async pull(controller) {
      await sleep(0);
      controller.enqueue(bytes);
    },
  });
}

/** Serves a tool of the older protocol, whose answer comes behind many pings in one stream. */
function servePings() {
  const counts = { open: 0, most: 0, replies: 0 };
  const pings = Array.from({ length: PINGS }, (_, at) => ({
    jsonrpc: "2.0",
    id: `ping ${at}`,
    method: "ping",
  }));
  const server = serve(
    (answer) => [...pings, answer].map((each) => `data: ${JSON.stringify(each)}\n\n`).join(""),
    {
      async replied() {
        counts.most = Math.max(counts.most, ++counts.open);
        await sleep(10);
        counts.open--;
        counts.replies++;
      },
    },
  );
  return { counts, ...server };
}

/** Serves a tool of the older protocol, whose answer is an event stream. */
function serve(
  stream: (answer: object) => BodyInit,
  { replied, notified }: {
    readonly replied?: () => Promise<void>;
    readonly notified?: () => BodyInit;
  } = {},
) {
  const headers = { "content-type": "text/event-stream" };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { id, method, params } = await request.json();
    if (method === undefined) await replied?.();
    const body = method !== undefined && id === undefined ? notified?.() : undefined;
    if (method === undefined || id === undefined) {
      return new Response(body, { status: 202, headers });
    }
    const answer = { jsonrpc: "2.0", id, ...answerTo(method, params) };
    if (method !== "tools/call") return Response.json(answer);
    return new Response(stream(answer), { headers });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function answerTo(method: string, params: { readonly protocolVersion?: string }): object {
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "pings", version: "1" };
    return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
  }
  const tools = [{ name: "call", inputSchema: { type: "object" } }];
  if (method === "tools/list") return { result: { tools } };
  if (method === "tools/call") return { result: { content: [{ type: "text", text: "done" }] } };
  return { error: { code: -32601, message: "Method not found" } };
}
