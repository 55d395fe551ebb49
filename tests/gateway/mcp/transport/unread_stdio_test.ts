/** Messages that wait for a client on stdin and stdout which does not read. */

import { deepEqual } from "node:assert/strict";
import { serveMcpStdio } from "../../../../gateway/mcp/transport/stdio.ts";
import type { McpBackend, McpChange, McpExchange } from "../../../../gateway/mcp/types.ts";
import { delay } from "../../../support/gateway.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const CALL = { name: "any", arguments: {} };
const MESSAGES = {
  legacy: {
    opened: [
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
    call: { id: 2, method: "tools/call", params: { ...CALL, _meta: { progressToken: 1 } } },
  },
  modern: {
    opened: [{
      id: 1,
      method: "subscriptions/listen",
      params: { notifications: { toolsListChanged: true }, _meta: META },
    }],
    call: {
      id: 2,
      method: "tools/call",
      params: { ...CALL, _meta: { ...META, progressToken: 1 } },
    },
  },
};

interface Written {
  readonly method?: string;
  readonly params?: { readonly progress?: number };
}

/** A client that has opened its connection, and reads when it is told to. */
async function connect(opened: readonly object[]) {
  let tell: (change: McpChange) => void = () => {};
  const { promise: called, resolve: onCall } = Promise.withResolvers<McpExchange>();
  const backend = {
    about: () => ({ version: "1", instructions: "", direct: false, askTimeoutMs: 1_000 }),
    watch: () => () => {},
    handle(_request: unknown, exchange: McpExchange) {
      onCall(exchange);
      return new Promise(() => {});
    },
    onChange(listener: (change: McpChange) => void) {
      tell = listener;
      return () => {};
    },
  } as unknown as McpBackend;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const written: Written[] = [];
  let reading = Promise.resolve();
  const server = serveMcpStdio(backend, {
    stdin: readable,
    write(bytes) {
      written.push(JSON.parse(new TextDecoder().decode(bytes)));
      return reading;
    },
    maxMessageBytes: 10_000,
    graceMs: 0,
    onError() {},
  });
  async function send(messages: readonly object[]): Promise<void> {
    const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    await writer.write(new TextEncoder().encode(lines.join("")));
  }
  await send(opened);
  while (written.length === 0) await delay(5);
  await delay(20);
  const { promise, resolve: read } = Promise.withResolvers<void>();
  reading = promise;
  written.length = 0;
  return { tell: (change: McpChange) => tell(change), called, written, send, read, server };
}

for (const [era, { opened, call }] of Object.entries(MESSAGES)) {
  Deno.test(`changes that a client of the ${era} era does not read wait once`, async () => {
    const { tell, written, read, server } = await connect(opened);
    for (let n = 0; n < 1_000; n++) {
      tell({ kind: "tools" });
      await Promise.resolve();
    }
    await delay(20);
    const methods = () => written.map(({ method }) => method);
    const change = "notifications/tools/list_changed";
    deepEqual(methods(), [change]);
    read();
    await delay(20);
    deepEqual(methods(), [change, change]);
    await server.close();
  });

  Deno.test(`of progress, a client of the ${era} era that does not read gets the newest`, async () => {
    const { called, written, send, read, server } = await connect(opened);
    await send([call]);
    const { onProgress } = await called;
    for (let progress = 1; progress <= 1_000; progress++) {
      onProgress?.({ progress });
      await Promise.resolve();
    }
    await delay(20);
    read();
    await delay(20);
    deepEqual(written.map(({ params }) => params?.progress), [1, 1_000]);
    await server.close();
  });
}
