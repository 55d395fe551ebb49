/** Resources are watched as long as the answer to their subscription lasts, and for none that is
 * refused. */

import assert from "node:assert/strict";
import { silent, sleep } from "#base";
import { createMcpHttp } from "#gateway";
import { serveMcpStdio } from "../../../../gateway/mcp/transport/stdio.ts";
import type { McpBackend } from "../../../../gateway/mcp/types.ts";

const VERSION = "2026-07-28";
const KEY = "io.modelcontextprotocol/";
const HEADERS = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
  "mcp-protocol-version": VERSION,
  "mcp-method": "subscriptions/listen",
};

/** A backend that counts what is watched. */
function countingBackend(direct = true) {
  const counts = { begun: 0, open: 0 };
  const backend: McpBackend = {
    about: () => ({ version: "0", instructions: "", direct, look: false, askTimeoutMs: 1_000 }),
    handle: () => Promise.resolve({}),
    withdrawal: () => undefined,
    watch() {
      counts.begun++;
      counts.open++;
      let isOpen = true;
      return () => {
        if (isOpen) counts.open--;
        isOpen = false;
      };
    },
    onChange: () => () => {},
  };
  return { backend, counts };
}

function subscription(id: number, filter: unknown) {
  const meta = {
    [`${KEY}protocolVersion`]: VERSION,
    [`${KEY}clientInfo`]: { name: "test", version: "1" },
    [`${KEY}clientCapabilities`]: {},
  };
  const params = { notifications: filter, _meta: meta };
  return { jsonrpc: "2.0", id, method: "subscriptions/listen", params };
}

/** `/mcp` over such a backend. */
function serve({ direct = true }: { readonly direct?: boolean } = {}) {
  const { backend, counts } = countingBackend(direct);
  const newId = () => crypto.randomUUID();
  const mcp = createMcpHttp({ backend, newId, now: Date.now, maxBodyBytes: 9_999, log: silent });
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => await mcp.handle(request, await request.json()),
  );
  return {
    counts,
    listen(
      { headers = {}, filter = { resourceSubscriptions: ["a://1"] }, signal }: Subscription = {},
    ): Promise<Response> {
      return fetch(`http://127.0.0.1:${server.addr.port}/mcp`, {
        method: "POST",
        headers: { ...HEADERS, ...headers },
        body: JSON.stringify(subscription(1, filter)),
        signal: signal ?? AbortSignal.timeout(60_000),
      });
    },
    async [Symbol.asyncDispose]() {
      await mcp[Symbol.asyncDispose]();
      await server.shutdown();
    },
  };
}

interface Subscription {
  readonly headers?: Readonly<Record<string, string>>;
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

async function until(isDone: () => boolean): Promise<void> {
  for (let left = 6_000; left > 0 && !isDone(); left--) await sleep(10);
  assert.ok(isDone());
}

Deno.test("a refused subscription watches nothing", async (t) => {
  const rows: Record<string, Subscription> = {
    "another method in the header": { headers: { "mcp-method": "tools/list" } },
    "an unknown version": { headers: { "mcp-protocol-version": "2099-01-01" } },
    "a malformed filter": { filter: { resourceSubscriptions: ["a://1", 7] } },
  };
  await using stage = serve();
  for (const [name, subscription] of Object.entries(rows)) {
    await t.step(name, async () => {
      const response = await stage.listen(subscription);
      assert.doesNotMatch(await response.text(), /acknowledged/);
      await until(() => stage.counts.open === 0);
    });
  }
});

Deno.test("resources of a stream that ends by itself are watched no more", async () => {
  await using stage = serve({ direct: false });
  assert.match(await (await stage.listen()).text(), /acknowledged/);
  await until(() => stage.counts.open === 0);
});

Deno.test("resources are watched until their client leaves", async () => {
  await using stage = serve();
  const leaving = new AbortController();
  const response = await stage.listen({ signal: leaving.signal });
  const reader = response.body?.getReader();
  assert.match(new TextDecoder().decode((await reader?.read())?.value), /acknowledged/);
  assert.deepEqual(stage.counts, { begun: 1, open: 1 });
  leaving.abort();
  await reader?.closed.catch(() => {});
  await until(() => stage.counts.open === 0);
});

Deno.test("over stdin and stdout nothing is watched for a refused or repeated subscription", async () => {
  const { backend, counts } = countingBackend();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const server = serveMcpStdio(backend, {
    stdin: readable,
    write: () => Promise.resolve(),
    maxMessageBytes: 10_000,
    onError() {},
  });
  const send = (id: number, uris: unknown[]) => {
    const line = JSON.stringify(subscription(id, { resourceSubscriptions: uris }));
    return writer.write(new TextEncoder().encode(`${line}\n`));
  };
  await send(1, ["a://1"]);
  await send(2, ["a://1", 7]);
  await until(() => counts.begun === 2 && counts.open === 1);
  await send(1, ["a://2"]);
  await until(() => counts.begun === 3);
  await server.close();
  assert.equal(counts.open, 0);
});
