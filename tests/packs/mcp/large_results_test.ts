/** Large results of servers: what is taken, what is refused, and that other work goes on meanwhile. */

import assert from "node:assert/strict";
import { hostileCommand, httpServer, stdioServer } from "../../support/servers.ts";
import { openGuarded } from "./auth/harness.ts";
import { startPack } from "./harness.ts";

const server = stdioServer({ name: "hostile", ...hostileCommand() });
const MEGABYTES = 1_000_000;

Deno.test("a result of ten megabytes is taken, and other work runs while it is read", async (t) => {
  for (const what of ["large value", "large text"]) {
    await t.step(what, async () => {
      await using harness = await startPack(server);
      let turns = 0;
      const timer = setInterval(() => turns++, 0);
      const { value } = await harness.pack.call("call", { what, count: 10 * MEGABYTES }, {});
      clearInterval(timer);
      const { a } = value as { a: unknown[] };
      assert.equal(a.length, 10 * MEGABYTES / 10);
      assert.deepEqual(a.at(-1), { a: [] });
      assert.ok(turns > 20, `${turns} turns`);
    });
  }
});

Deno.test("a longer answer is refused before it is read, and the server stays", async (t) => {
  await using harness = await startPack(server);
  const { pid } = (await harness.pack.call("call", { what: "process" }, {})).value as {
    pid: number;
  };
  for (const what of ["large value", "large text", "large value, its id behind"]) {
    await t.step(what, async () => {
      await assert.rejects(harness.pack.call("call", { what, count: 30 * MEGABYTES }, {}), {
        code: "too_large",
        message: 'Cannot call "hostile.call": its answer is over 24 MB: ask it for less',
      });
    });
  }
  await t.step("many small parts", async () => {
    await assert.rejects(
      harness.pack.call("call", { what: "large value", count: 15 * MEGABYTES }, {}),
      {
        code: "too_large",
        message: 'Cannot call "hostile.call": its answer has over 2,500,000 lists and objects: ' +
          "ask it for less",
      },
    );
  });
  await t.step("many small parts in a text are no value", async () => {
    const args = { what: "large text", count: 15 * MEGABYTES };
    const { value } = await harness.pack.call("call", args, {});
    assert.equal(typeof value, "string");
  });
  const { value } = await harness.pack.call("call", { what: "process" }, {});
  assert.deepEqual(value, { pid });
});

Deno.test("a server that sends a large notification is ended", async (t) => {
  for (const what of ["large log", "large batch"]) {
    await t.step(what, async () => {
      await using harness = await startPack(server);
      const call = harness.pack.call("call", { what, count: 5 * MEGABYTES }, {});
      await assert.rejects(call, { code: "unavailable" });
    });
  }
});

Deno.test("other work runs while a large answer is read over HTTP", async (t) => {
  for (const type of ["application/json", "text/event-stream"]) {
    await t.step(type, async () => {
      await using remote = serveLarge(type);
      await using harness = await startPack(httpServer({ url: remote.url }));
      let turns = 0;
      const timer = setInterval(() => turns++, 0);
      const { value } = await harness.pack.call("call", { count: 10 * MEGABYTES }, {});
      clearInterval(timer);
      assert.equal((value as { a: unknown[] }).a.length, MEGABYTES);
      assert.ok(turns > 40, `${turns} turns`);
    });
  }
});

Deno.test("other work runs while the large answer to a request with a token is read", async () => {
  await using remote = serveLarge("application/json");
  await using guarded = await openGuarded({ config: { url: remote.url } });
  await guarded.signedIn();
  await guarded.pack.call("call", { count: 10 }, {});
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const { value } = await guarded.pack.call("call", { count: 10 * MEGABYTES }, {});
  clearInterval(timer);
  assert.equal((value as { a: unknown[] }).a.length, MEGABYTES);
  assert.ok(turns > 40, `${turns} turns`);
});

Deno.test("an event of many lines is read as one answer", async () => {
  await using remote = serveLarge(
    "text/event-stream",
    (text) => text.replaceAll(",", ",\r\ndata:"),
  );
  await using harness = await startPack(httpServer({ url: remote.url }));
  const { value } = await harness.pack.call("call", { count: MEGABYTES }, {});
  assert.equal((value as { a: unknown[] }).a.length, MEGABYTES / 10);
});

Deno.test("an answer over HTTP is taken and refused alike", async (t) => {
  for (const type of ["application/json", "text/event-stream"]) {
    await t.step(type, async () => {
      await using remote = serveLarge(type);
      await using harness = await startPack(httpServer({ url: remote.url }));
      const { value } = await harness.pack.call("call", { count: 2 * MEGABYTES }, {});
      assert.equal((value as { a: unknown[] }).a.length, 2 * MEGABYTES / 10);
      await assert.rejects(harness.pack.call("call", { count: 30 * MEGABYTES }, {}), {
        code: "too_large",
        message: 'Cannot call "remote.call": its answer is over 24 MB: ask it for less',
      });
      const many = harness.pack.call("call", { count: 15 * MEGABYTES }, {});
      await assert.rejects(many, {
        code: "too_large",
        message: /over 2,500,000 lists and objects/,
      });
      await harness.pack.call("call", { count: 10 }, {});
    });
  }
});

interface LargeServer extends AsyncDisposable {
  readonly url: string;
}

/** Serves a tool that answers with as many characters as it is asked for. */
function serveLarge(
  type: string,
  change: (text: string) => string = (text) => text,
): LargeServer {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { id, method, params } = await request.json();
    if (id === undefined) return new Response(null, { status: 202 });
    const result = resultOf(method, params);
    if (result === undefined) return Response.json(unknownMethod(id));
    const text = `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
    const body = type === "application/json" ? text : `data: ${change(text)}\n\n`;
    return new Response(body, { headers: { "content-type": type } });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function unknownMethod(id: unknown): object {
  return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
}

function resultOf(
  method: string,
  params: { readonly arguments?: { readonly count?: number } },
): string | undefined {
  if (method === "initialize") {
    const serverInfo = { name: "large", version: "1" };
    const protocolVersion = "2025-06-18";
    return JSON.stringify({ protocolVersion, serverInfo, capabilities: { tools: {} } });
  }
  const tools = [{ name: "call", inputSchema: { type: "object" } }];
  if (method === "tools/list") return JSON.stringify({ tools });
  if (method !== "tools/call") return undefined;
  const items = Array((params.arguments?.count ?? 0) / 10).fill('{"a":[ ]}').join(",");
  return `{"content":[],"structuredContent":{"a":[${items}]}}`;
}
