/** Servers that send without end: what is kept of it, and that other work goes on meanwhile, that on
 * sockets too. */

import assert from "node:assert/strict";
import { createPace } from "#base";
import { createArgumentReader } from "../../../packs/registry/arguments.ts";
import { readToolList } from "../../../packs/mcp/tools/tool_list.ts";
import type { ToolEntry } from "#packs";
import { httpServer } from "../../support/servers.ts";
import { startPack } from "./harness.ts";

const MB = 1024 * 1024;
const SCHEMA = { type: "object" };
const TRIPS = 20;

/** Counts requests that are answered over a socket of this process during some work. */
async function tripsDuring(work: () => Promise<unknown>): Promise<number> {
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  await using server = Deno.serve(options, () => new Response("there"));
  let isOver = false;
  let trips = 0;
  const working = work().finally(() => isOver = true);
  while (!isOver) {
    await (await fetch(`http://127.0.0.1:${server.addr.port}/`)).text();
    trips++;
  }
  await working;
  return trips;
}

Deno.test("of an endless list of tools, 12 MB are kept", async () => {
  const pages: (string | undefined)[] = [];
  const { tools, problems } = await readToolList((cursor) => {
    pages.push(cursor);
    const name = `tool ${pages.length}`;
    const tool = { name, description: "x".repeat(MB - 1_000), inputSchema: SCHEMA };
    return Promise.resolve({ tools: [tool], nextCursor: name });
  });
  assert.equal(pages.length, 13);
  assert.equal(tools.length, 13);
  assert.deepEqual(problems, [{ tool: null, reason: "the list has over 12 MB" }]);
});

Deno.test("of an endless list without tools, 100 problems are kept", async () => {
  const { tools, problems } = await readToolList(() =>
    Promise.resolve({ tools: Array(100_000).fill({}) })
  );
  assert.deepEqual([tools.length, problems.length], [0, 100]);
});

Deno.test("a tool of over 1 MB is left out, whatever is long", async (t) => {
  const large: Record<string, object> = {
    "a text": { inputSchema: SCHEMA, description: "x".repeat(2 * MB) },
    "a list": { inputSchema: { ...SCHEMA, anyOf: Array(MB).fill({}) } },
    "names": {
      inputSchema: {
        ...SCHEMA,
        properties: Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`n${at}`, {}])),
      },
    },
    "a result": { inputSchema: SCHEMA, outputSchema: { ...SCHEMA, enum: Array(MB).fill(1) } },
  };
  for (const [name, parts] of Object.entries(large)) {
    await t.step(name, async () => {
      const list = [{ name: "large", ...parts }, { name: "small", inputSchema: SCHEMA }];
      const { tools, problems } = await readToolList(() => Promise.resolve({ tools: list }));
      assert.deepEqual(tools.map((tool) => tool.name), ["small"]);
      assert.deepEqual(problems, [{ tool: "large", reason: "it has over 1 MB" }]);
    });
  }
});

Deno.test("names of tools are bounded, each and all of a server", async (t) => {
  await t.step("one", async () => {
    const list = ["n".repeat(256), "n".repeat(257)].map((name) => ({ name, inputSchema: SCHEMA }));
    const { tools, problems } = await readToolList(() => Promise.resolve({ tools: list }));
    assert.deepEqual(tools.map(({ name }) => name), ["n".repeat(256)]);
    const reason = "its name is over 256 characters";
    assert.deepEqual(problems, [{ tool: "n".repeat(256), reason }]);
  });
  for (const [kind, letter, most] of [["ASCII", "n", 500_000], ["other", "é", 250_000]] as const) {
    await t.step(`all, ${kind}`, async () => {
      const list = Array.from(
        { length: 10_000 },
        (_, at) => ({ name: `${at}`.padStart(100, letter), inputSchema: SCHEMA }),
      );
      const { tools, problems } = await readToolList(() => Promise.resolve({ tools: list }));
      const characters = tools.reduce((sum, { name }) => sum + name.length, 0);
      assert.ok(characters <= 500_000 && characters >= most, `${characters} characters`);
      const reason = "the names of its tools have over 500 kB: the rest is left out";
      assert.deepEqual(problems, [{ tool: null, reason }]);
    });
  }
});

Deno.test("a list ends at a cursor of over 8,000 characters", async () => {
  let pages = 0;
  const { tools, problems } = await readToolList(() => {
    const name = `t${pages++}`;
    const nextCursor = "c".repeat(pages === 1 ? 8_000 : 8_001);
    return Promise.resolve({ tools: [{ name, inputSchema: SCHEMA }], nextCursor });
  });
  assert.deepEqual([pages, tools.length], [2, 2]);
  assert.deepEqual(problems, [{ tool: null, reason: "its cursor is over 8000 characters" }]);
});

interface Flood extends AsyncDisposable {
  readonly url: string;
  begin(): void;
}

/** Serves a tool, and a stream that sends a message again and again, and then that prompts changed. */
function serveFlood(message: object, times: number, tool: object = {}): Flood {
  const eventOf = (each: object) => `data: ${JSON.stringify({ jsonrpc: "2.0", ...each })}\n\n`;
  const events = new TextEncoder().encode(eventOf(message).repeat(100));
  const last = new TextEncoder().encode(eventOf({ method: "notifications/prompts/list_changed" }));
  const tools = [{ name: "call", inputSchema: SCHEMA, ...tool }];
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-06-18",
      serverInfo: { name: "flood", version: "1" },
      capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, logging: {} },
    },
    "tools/list": { tools },
  };
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let left = times / 100;
  function stream(): Response {
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await begun;
        if (left-- > 0) return controller.enqueue(events);
        if (left === -1) return controller.enqueue(last);
        await new Promise(() => {});
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  const server = Deno.serve(options, async (request) => {
    if (request.method === "GET") return stream();
    if (request.method !== "POST") return new Response(null, { status: 200 });
    const { id, method } = await request.json();
    if (id === undefined) return new Response(null, { status: 202 });
    const result = results[method];
    if (result) return Response.json({ jsonrpc: "2.0", id, result });
    return Response.json({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    begin,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const LOG = { method: "notifications/message", params: { level: "info", data: "again" } };
const CHANGED = { method: "notifications/tools/list_changed" };

Deno.test("other work runs while a server sends without end", async (t) => {
  const floods: Record<string, () => Flood> = {
    "its log": () => serveFlood(LOG, 20_000),
    "what it calls a change": () => serveFlood(CHANGED, 20_000),
    "changes of a large list": () =>
      serveFlood(CHANGED, 5_000, { description: "a word ".repeat(100_000) }),
  };
  for (const [name, serve] of Object.entries(floods)) {
    await t.step(name, async () => {
      await using flood = serve();
      await using harness = await startPack(httpServer({ url: flood.url }));
      const { promise: isRead, resolve } = Promise.withResolvers<void>();
      harness.pack.onNotice(({ kind }) => kind === "prompts" && resolve());
      flood.begin();
      const trips = await tripsDuring(() => isRead);
      assert.ok(trips > TRIPS, `${trips} trips`);
      assert.deepEqual(harness.pack.tools().map((tool) => tool.name), ["call"]);
    });
  }
});

Deno.test("other work runs between checks that take long", async () => {
  const anyOf = [...Array(200).fill({ type: "number" }), { type: "string" }];
  const inputSchema = { properties: { list: { type: "array", items: { anyOf } } } };
  const entry = { pack: "a", tool: "b", spec: { name: "b", inputSchema } } as unknown as ToolEntry;
  const read = createArgumentReader();
  const pace = createPace();
  const list = Array(1_000).fill("a");
  // On a loaded machine a check may take longer than it may.
  const trips = await tripsDuring(() =>
    Promise.allSettled(Array.from({ length: 10 }, () => pace(() => read({ list }, entry))))
  );
  assert.ok(trips > TRIPS, `${trips} trips`);
});
