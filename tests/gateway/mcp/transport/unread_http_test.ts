/** Messages that wait for a client of `/mcp` which does not read. */

import assert from "node:assert/strict";
import { silent } from "#base";
import { createMcpHttp } from "#gateway";
import type { McpBackend, McpChange, McpExchange } from "../../../../gateway/mcp/types.ts";
import { delay } from "../../../support/gateway.ts";

const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";
const KEY = "io.modelcontextprotocol/";
const META = {
  [`${KEY}protocolVersion`]: MODERN,
  [`${KEY}clientInfo`]: { name: "test", version: "1" },
  [`${KEY}clientCapabilities`]: {},
  [`${KEY}logLevel`]: "debug",
  progressToken: 1,
};
const URIS = ["a://1", "a://2", "data: {"];
const CALL = { name: "any", arguments: {} };

/** `/mcp` of a server of tools, resources and changes. */
function serve() {
  const listeners = new Set<(change: McpChange) => void>();
  let call: (exchange: McpExchange) => Promise<void> = () => Promise.resolve();
  const backend: McpBackend = {
    about: () => ({ version: "0", instructions: "", direct: true, look: false, askTimeoutMs: 99 }),
    async handle(_request, exchange) {
      await call(exchange);
      return { content: [{ type: "text", text: "done" }] };
    },
    withdrawal: () => undefined,
    watch: () => () => {},
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const newId = () => crypto.randomUUID();
  const mcp = createMcpHttp({ backend, newId, now: Date.now, maxBodyBytes: 99_999, log: silent });
  let session: Record<string, string> = {};

  function send(method: string, headers: Record<string, string>, body?: object) {
    const json = { jsonrpc: "2.0", ...body };
    const request = new Request("http://127.0.0.1/mcp", {
      method,
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...headers,
      },
      body: body && JSON.stringify(json),
    });
    return mcp.handle(request, body && json);
  }

  const modern = (method: string, params: Record<string, unknown>) => {
    const named = typeof params.name === "string" ? { "mcp-name": params.name } : undefined;
    const headers = { "mcp-protocol-version": MODERN, "mcp-method": method, ...named };
    return send("POST", headers, {
      id: 9,
      method,
      params: { ...params, _meta: META },
    });
  };

  async function initialize() {
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: LEGACY, capabilities: {}, clientInfo };
    const response = await send("POST", {}, { id: 1, method: "initialize", params });
    session = {
      "mcp-session-id": response.headers.get("mcp-session-id") ?? "",
      "mcp-protocol-version": LEGACY,
    };
    await response.text();
    await (await send("POST", session, { method: "notifications/initialized" })).text();
    for (const [id, uri] of URIS.entries()) {
      const body = { id: id + 2, method: "resources/subscribe", params: { uri } };
      await (await send("POST", session, body)).text();
    }
  }

  return {
    tell: (change: McpChange) => listeners.forEach((listener) => listener(change)),
    calls: (work: typeof call) => void (call = work),
    eras: {
      modern: {
        listen: () =>
          modern("subscriptions/listen", {
            notifications: { toolsListChanged: true, resourceSubscriptions: URIS },
          }),
        call: () => modern("tools/call", CALL),
      },
      legacy: {
        async listen() {
          await initialize();
          return await send("GET", session);
        },
        async call() {
          await initialize();
          const params = { ...CALL, _meta: { progressToken: 1 } };
          return await send("POST", session, { id: 9, method: "tools/call", params });
        },
      },
    },
    [Symbol.asyncDispose]: () => mcp[Symbol.asyncDispose](),
  };
}

interface Message {
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

/** Begins to read; the messages come into the list. */
function startReading(response: Response): readonly Message[] {
  const messages: Message[] = [];
  void (async () => {
    for await (const event of response.body ?? []) {
      const data = /^data: (.*)$/m.exec(new TextDecoder().decode(event))?.[1];
      if (data !== undefined) messages.push(JSON.parse(data));
    }
  })();
  return messages;
}

for (const era of ["modern", "legacy"] as const) {
  Deno.test(`over HTTP, each change waits once for a client of the ${era} era`, async () => {
    await using stage = serve();
    const response = await stage.eras[era].listen();
    for (let round = 0; round < 1_000; round++) {
      for (const uri of URIS) stage.tell({ kind: "resource", uri });
      stage.tell({ kind: "tools" });
      await Promise.resolve();
    }
    await delay(20);
    const messages = startReading(response);
    const count = ({ kind, uri }: { readonly kind: string; readonly uri?: string }) =>
      messages.filter(({ method, params }) =>
        method === `notifications/${kind}` && params?.uri === uri
      ).length;
    const changes = [
      ...URIS.map((uri) => ({ kind: "resources/updated", uri })),
      { kind: "tools/list_changed" },
    ];
    while (changes.some((change) => count(change) === 0)) await delay(20);
    await delay(20); // for what is too much
    // One is on its way while the next waits.
    for (const change of changes) {
      assert.ok([1, 2].includes(count(change)), `${JSON.stringify(change)}: ${count(change)}`);
    }
    const before = messages.length;
    stage.tell({ kind: "tools" });
    while (messages.length === before) await delay(20);
    assert.deepEqual(messages.slice(before).map(({ method }) => method), [
      "notifications/tools/list_changed",
    ]);
  });

  Deno.test(`over HTTP, progress waits once for a client of the ${era} era`, async () => {
    await using stage = serve();
    stage.calls(async ({ onProgress, onLog }) => {
      for (let progress = 1; progress <= 1_000; progress++) {
        onProgress?.({ progress, message: "data: {" });
        await Promise.resolve();
      }
      for (let log = 0; log < 2; log++) onLog("error", "kept");
      await delay(20);
    });
    const response = await stage.eras[era].call();
    await delay(100);
    const messages = startReading(response);
    while (!messages.at(-1)?.result) await delay(20);
    const progress = messages.filter(({ method }) => method === "notifications/progress");
    assert.equal(progress.at(-1)?.params?.progress, 1_000);
    assert.ok(progress.length <= 2, `${progress.length}`);
    const logs = messages.filter(({ method }) => method === "notifications/message");
    assert.equal(logs.length, 2);
    assert.match(JSON.stringify(messages.at(-1)?.result), /done/);
  });
}
