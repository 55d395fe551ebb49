/** The newest protocol (2026-07-28) over HTTP, with a server built on the official library. */

import assert from "node:assert/strict";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { httpServer } from "../../support/servers.ts";
import { startPack } from "./harness.ts";

Deno.test("a pack speaks the newest protocol with a server that speaks nothing else", async (t) => {
  let stopped = 0;
  const handler = createMcpHandler(() => createServer(() => void stopped++), { legacy: "reject" });
  await using server = Deno.serve({ port: 0, onListen() {} }, (request) => handler.fetch(request));
  const url = `http://127.0.0.1:${server.addr.port}/mcp`;
  const harness = await startPack(httpServer({ url }));
  const { pack } = harness;

  await t.step("it connects", () => {
    assert.equal(pack.info()?.protocol, "2026-07-28");
    assert.deepEqual(pack.tools().map(({ name }) => name), ["echo", "slow", "ask"]);
  });

  await t.step("it calls", async () => {
    assert.deepEqual(await pack.call("echo", { text: "hi" }, {}), { value: { said: "hi" } });
  });

  await t.step("progress arrives, and a cancelled call ends in the server", async () => {
    const cancel = new AbortController();
    const seen: number[] = [];
    const call = pack.call("slow", {}, {
      signal: cancel.signal,
      onProgress: ({ progress }) => {
        seen.push(progress);
        if (seen.length === 3) cancel.abort();
      },
    });
    await assert.rejects(call, { code: "cancelled" });
    assert.deepEqual(seen, [0, 1, 2]);
    while (stopped === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  await t.step("a tool that asks the client for input fails", async () => {
    await assert.rejects(pack.call("ask", {}, {}), { code: "tool_error" });
  });

  await t.step("a changed list is read again", async () => {
    const changed = new Promise<void>((resolve) => void pack.onChange(resolve));
    handler.notify.toolsChanged();
    await changed;
  });

  await harness[Symbol.asyncDispose]();
  await handler.close();
});

function createServer(onStop: () => void): McpServer {
  const server = new McpServer({ name: "newest", version: "1" }, {
    capabilities: { tools: { listChanged: true } },
  });
  const nothing = fromJsonSchema<Record<string, unknown>>({ type: "object" });
  const text = fromJsonSchema<{ text: string }>({
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  });
  server.registerTool("echo", { inputSchema: text }, ({ text }) => ({
    content: [{ type: "text", text: JSON.stringify({ said: text }) }],
  }));
  server.registerTool("slow", { inputSchema: nothing }, async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (let progress = 0; !mcpReq.signal.aborted; progress++) {
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress },
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    onStop();
    return { content: [] };
  });
  server.registerTool("ask", { inputSchema: nothing }, async (_args, { mcpReq }) => {
    await mcpReq.requestSampling({ messages: [], maxTokens: 1 });
    return { content: [] };
  });
  return server;
}
