/** Foreign text that no validation of the client library sees, since it describes each flaw. */

import assert from "node:assert/strict";
import { isObject } from "#base";
import type { Pipe } from "../../../packs/mcp/connect/pipe.ts";
import { RawResults } from "../../../packs/mcp/connect/raw_results.ts";
import { fixture } from "../../support/servers.ts";
import { startPack } from "./harness.ts";

const MANY = Array(1_000).fill({});
const INFO = { name: "a", title: "b", version: "1", description: "c" };

function idlePipe(): Pipe {
  return {
    start: () => Promise.resolve(),
    send: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** What the client library gets of a message of a server. */
function passedOn(message: unknown, wrap: boolean): unknown {
  const inner = idlePipe();
  const pipe = new RawResults(inner);
  pipe.wrap = wrap;
  let received: unknown;
  pipe.onmessage = (passed) => received = passed;
  if (isObject(message)) void pipe.send({ jsonrpc: "2.0", id: message.id, method: "initialize" });
  inner.onmessage?.(message);
  return received;
}

Deno.test("RawResults keeps of a handshake what is read of it", () => {
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true },
    logging: {},
  };
  const key = "io.modelcontextprotocol/serverInfo";
  const result = {
    protocolVersion: "2025-11-25",
    supportedVersions: ["2026-07-28"],
    instructions: "Be careful",
    capabilities,
    serverInfo: INFO,
    _meta: { [key]: INFO },
  };
  const message = { jsonrpc: "2.0", id: "server-discover-probe-1", result };
  assert.deepEqual(passedOn(message, false), message);
  const hostile = {
    ...result,
    extra: MANY,
    capabilities: { ...capabilities, logging: { a: MANY }, experimental: MANY, extensions: MANY },
    serverInfo: { ...INFO, icons: MANY },
    _meta: { [key]: { ...INFO, icons: MANY }, extra: MANY },
  };
  assert.deepEqual(passedOn({ ...message, extra: MANY, result: hostile }, false), message);
});

Deno.test("RawResults keeps of a large answer to a probe what is read of it", async () => {
  const pipe = new RawResults(idlePipe());
  let received: unknown;
  pipe.onmessage = (passed) => received = passed;
  const head = { jsonrpc: "2.0", id: "server-discover-probe-1" };
  void pipe.send({ ...head, method: "server/discover" });
  const result = { instructions: "Be careful", _meta: Array(200_000).fill({}) };
  assert.equal(await pipe.read(JSON.stringify({ ...head, result })), true);
  assert.deepEqual(received, { ...head, result: { instructions: "Be careful" } });
});

Deno.test("RawResults keeps 100 versions of a handshake", () => {
  const message = { jsonrpc: "2.0", id: 1, result: { supportedVersions: MANY } };
  const { result } = passedOn(message, false) as typeof message;
  assert.equal(result.supportedVersions.length, 100);
});

Deno.test("RawResults keeps of an acknowledgement which subscription it is for", () => {
  const method = "notifications/subscriptions/acknowledged";
  const _meta = { "io.modelcontextprotocol/subscriptionId": "1" };
  const notice = (notifications: unknown) => ({
    jsonrpc: "2.0",
    method,
    params: { _meta, notifications },
  });
  const passed = passedOn(notice({ resourceSubscriptions: MANY }), true);
  assert.deepEqual(passed, notice({}));
});

Deno.test("a question is read here, whatever is in it", async () => {
  await using harness = await startPack(fixture("asks-oddly"));
  const { value } = await harness.pack.call("echo", {}, {});
  assert.match(JSON.stringify(value), /no client can answer that here/);
});
