/** Packs over real servers reached by HTTP, and over answers that HTTP servers give in trouble. */

import assert from "node:assert/strict";
import { freePort } from "../../support/port.ts";
import { everythingOverHttp, httpServer } from "../../support/servers.ts";
import { openPack, startPack } from "./harness.ts";

Deno.test("a pack reaches server-everything by Streamable HTTP", async (t) => {
  await using server = await everythingOverHttp();
  for (const kind of ["http", "auto"] as const) {
    await t.step(kind, async () => {
      const harness = await startPack(httpServer({ kind, url: server.url }));
      const { pack } = harness;
      assert.deepEqual(pack.status(), { state: "connected", transport: "http", error: null });
      assert.equal(pack.tools().length, 17);
      assert.deepEqual(await pack.call("echo", { message: "hi" }, {}), { value: "Echo: hi" });
      const seen: number[] = [];
      await pack.call("trigger-long-running-operation", { duration: 0.2, steps: 2 }, {
        onProgress: ({ progress }) => void seen.push(progress),
      });
      assert.deepEqual(seen, [1, 2]);
      const cancel = new AbortController();
      const args = { duration: 30, steps: 60 };
      const call = pack.call("trigger-long-running-operation", args, {
        signal: cancel.signal,
        onProgress: () => cancel.abort(),
      });
      await assert.rejects(call, { code: "cancelled" });
      const ended = server.log().split("session termination request").length;
      await harness[Symbol.asyncDispose]();
      assert.equal(server.log().split("session termination request").length, ended + 1);
    });
  }
});

Deno.test("a pack reaches server-everything by SSE", async (t) => {
  await using server = await everythingOverHttp("sse");
  for (const kind of ["sse", "auto"] as const) {
    await t.step(kind, async () => {
      const harness = await startPack(httpServer({ kind, url: server.url }));
      assert.deepEqual(harness.pack.status(), {
        state: "connected",
        transport: "sse",
        error: null,
      });
      const { value } = await harness.pack.call("echo", { message: "hi" }, {});
      assert.equal(value, "Echo: hi");
      await harness[Symbol.asyncDispose]();
      while (!server.log().includes("Client Disconnected")) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  }
});

Deno.test("a restarted server is reached again", async () => {
  const port = await freePort();
  const first = await everythingOverHttp("streamableHttp", port);
  await using harness = await startPack(httpServer({ url: first.url }));
  await first[Symbol.asyncDispose]();
  await using _second = await everythingOverHttp("streamableHttp", port);
  const { value } = await harness.pack.call("echo", { message: "again" }, {}).catch(() =>
    harness.pack.call("echo", { message: "again" }, {})
  );
  assert.equal(value, "Echo: again");
});

Deno.test("each error status of an HTTP server becomes a state", async (t) => {
  const cases: readonly [status: number, state: string, error: string][] = [
    [401, "needs-auth", "authorization needed"],
    [403, "disconnected", "access denied"],
    [500, "disconnected", "HTTP status 500"],
  ];
  for (const [status, state, error] of cases) {
    for (const kind of ["http", "sse", "auto"] as const) {
      await t.step(`${status} ${kind}`, async () => {
        await using server = Deno.serve(
          { port: 0, onListen() {} },
          () => new Response("no", { status }),
        );
        const url = `http://127.0.0.1:${server.addr.port}/mcp`;
        await using harness = await openPack(httpServer({ kind, url }));
        await harness.pack.settle();
        assert.equal(harness.pack.status().state, state);
        assert.equal(harness.pack.status().error, error);
        await assert.rejects(harness.pack.call("x", {}, {}), { code: "unavailable" });
      });
    }
  }
});

Deno.test("an address without a listener is unreachable", async () => {
  await using harness = await openPack(
    httpServer({ url: `http://127.0.0.1:${await freePort()}/mcp` }),
  );
  await harness.pack.settle();
  assert.equal(harness.pack.status().error, "not reachable");
});

Deno.test("headers of the config go with every request", async () => {
  const seen: (string | null)[] = [];
  await using server = Deno.serve({ port: 0, onListen() {} }, (request) => {
    seen.push(request.headers.get("authorization"));
    return new Response("no", { status: 403 });
  });
  const url = `http://127.0.0.1:${server.addr.port}/mcp`;
  const headers = { Authorization: "Bearer x" };
  await using harness = await openPack(httpServer({ kind: "auto", url, headers }));
  await harness.pack.settle();
  assert.deepEqual([...new Set(seen)], ["Bearer x"]);
});
