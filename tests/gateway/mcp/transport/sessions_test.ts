import assert from "node:assert/strict";
import { delay, openGateway, type TestGateway } from "../../../support/gateway.ts";
import { fixture } from "../../../support/servers.ts";
import { ERAS, newClient, overHttp } from "../clients.ts";

const JSON_TYPE = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

function initialize(gateway: TestGateway, headers: Record<string, string> = {}) {
  return gateway.post("/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  }, { ...JSON_TYPE, ...headers });
}

const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };

Deno.test("/attach serves lines of JSON, for as long as the body lasts", async (t) => {
  await using gateway = await openGateway();
  const lines = { "content-type": "application/x-ndjson" };
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const stream = () => new Blob(["{}"]).stream().pipeThrough(new TransformStream());
  const rows: [name: string, init: RequestInit, status: number][] = [
    ["without a token", { headers: { ...lines, authorization: "" }, body: stream() }, 401],
    ["another type", { headers: JSON_TYPE, body: stream() }, 415],
    ["a body of known length", { headers: lines, body: `${JSON.stringify(ping)}\n` }, 200],
    ["no body", { headers: lines }, 200],
    ["a stream that ends", { headers: lines, body: stream() }, 200],
  ];
  for (const [name, init, status] of rows) {
    await t.step(name, async () => {
      const response = await gateway.fetch("/attach", { method: "POST", ...init });
      assert.equal(response.status, status);
      const text = await response.text();
      if (name === "a body of known length") assert.match(text, /"id":1/);
    });
  }
});

Deno.test("/mcp has the access checks of every route", async (t) => {
  await using gateway = await openGateway({ gateway: { max_body_mb: 1 } });
  const rows: [name: string, init: RequestInit, status: number][] = [
    ["without a token", { method: "POST", headers: { authorization: "" } }, 401],
    ["from a foreign origin", { method: "POST", headers: { origin: "http://evil.example" } }, 403],
    [
      "another type",
      { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" },
      415,
    ],
    ["no JSON", { method: "POST", headers: JSON_TYPE, body: "{" }, 400],
    ["too large", { method: "POST", headers: JSON_TYPE, body: `"${"x".repeat(2_000_000)}"` }, 413],
    ["another method", { method: "PUT" }, 405],
    ["a stream of no session", { headers: { accept: "text/event-stream" } }, 400],
    ["an unknown session", {
      method: "POST",
      headers: { ...JSON_TYPE, "mcp-session-id": "nonsense" },
      body: JSON.stringify(LIST),
    }, 404],
    ["no session at all", { method: "POST", headers: JSON_TYPE, body: JSON.stringify(LIST) }, 400],
  ];
  for (const [name, init, status] of rows) {
    await t.step(name, async () => {
      const response = await gateway.fetch("/mcp", init);
      assert.equal(response.status, status, await response.text());
    });
  }
});

Deno.test("a session lives until its client ends it", async () => {
  await using gateway = await openGateway();
  const opened = await initialize(gateway);
  await opened.text();
  const id = opened.headers.get("mcp-session-id");
  assert.ok(id);
  const headers = { ...JSON_TYPE, "mcp-session-id": id };
  const list = await gateway.post("/mcp", LIST, headers);
  assert.equal(list.status, 200);
  assert.match(await list.text(), /"name":"run"/);
  const ended = await gateway.fetch("/mcp", { method: "DELETE", headers });
  assert.equal(ended.status, 200);
  await ended.body?.cancel();
  const late = await gateway.post("/mcp", LIST, headers);
  assert.equal(late.status, 404);
  await late.body?.cancel();
});

for (const era of ERAS) {
  Deno.test(`a cancel of a ${era} client ends the run and its calls`, async () => {
    const folder = await Deno.makeTempDir();
    const { command, args } = fixture("good");
    const file = `${folder}/cancelled.json`;
    await using gateway = await openGateway({
      servers: { slow: { command, args: [...args, file] } },
    });
    await gateway.ready();
    await using connection = await overHttp(gateway, newClient(era));
    const cancel = new AbortController();
    const started = Promise.withResolvers<void>();
    const call = connection.client.callTool({
      name: "run",
      arguments: { command: 'import { tools } from "toolscript"; await tools.slow.hang({})' },
    }, {
      signal: cancel.signal,
      onprogress: ({ message }) => {
        if (message?.includes("slow.hang")) started.resolve();
      },
    });
    call.catch(() => {});
    const limit = setTimeout(() => started.reject(new Error("the run never began")), 60_000);
    await started.promise;
    clearTimeout(limit);
    cancel.abort();
    await assert.rejects(call);
    let notice = "";
    for (let tries = 0; tries < 1_200 && notice === ""; tries++) {
      notice = await Deno.readTextFile(file).catch(() => "");
      await delay(25);
    }
    assert.match(notice, /requestId/);
    assert.doesNotMatch(notice, /No answer in time/); // it came from the cancel
    await gateway.idle();
    await Deno.remove(folder, { recursive: true });
  });
}
