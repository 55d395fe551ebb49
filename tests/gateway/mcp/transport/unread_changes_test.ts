import { deepEqual } from "node:assert/strict";
import { serveMcpStdio } from "../../../../gateway/mcp/transport/stdio.ts";
import type { McpBackend, McpChange } from "../../../../gateway/mcp/types.ts";
import { delay } from "../../../support/gateway.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const OPENED = {
  legacy: [
    {
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      },
    },
    { method: "notifications/initialized" },
  ],
  modern: [{
    id: 1,
    method: "subscriptions/listen",
    params: { notifications: { toolsListChanged: true }, _meta: META },
  }],
};

for (const [era, opened] of Object.entries(OPENED)) {
  Deno.test(`changes that a client of the ${era} era does not read wait once`, async () => {
    let tell: (change: McpChange) => void = () => {};
    const backend = {
      about: () => ({ version: "1", instructions: "", direct: false, askTimeoutMs: 1_000 }),
      watch: () => () => {},
      onChange(listener: (change: McpChange) => void) {
        tell = listener;
        return () => {};
      },
    } as unknown as McpBackend;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const written: unknown[] = [];
    let reading = Promise.resolve();
    const server = serveMcpStdio(backend, {
      stdin: readable,
      write(bytes) {
        written.push(JSON.parse(new TextDecoder().decode(bytes)).method);
        return reading;
      },
      maxMessageBytes: 10_000,
      onError() {},
    });
    const lines = opened.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    await writer.write(new TextEncoder().encode(lines.join("")));
    while (written.length === 0) await delay(5);
    await delay(20);
    const { promise, resolve } = Promise.withResolvers<void>();
    reading = promise;
    written.length = 0;
    for (let n = 0; n < 1_000; n++) {
      tell({ kind: "tools" });
      await Promise.resolve();
    }
    await delay(20);
    const change = "notifications/tools/list_changed";
    deepEqual(written, [change]);
    resolve();
    await delay(20);
    deepEqual(written, [change, change]);
    await server.close();
  });
}
