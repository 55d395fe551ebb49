/** Messages of servers: what of them goes on to the client library, which validates all that it gets and
 * describes each flaw. */

import assert from "node:assert/strict";
import { createBoundedFetch } from "../../../packs/mcp/connect/bounded_fetch.ts";
import type { Pipe } from "../../../packs/mcp/connect/pipe.ts";
import { RawResults, unwrapResult } from "../../../packs/mcp/connect/raw_results.ts";
import { httpServer } from "../../support/servers.ts";
import { startPack } from "./harness.ts";

const KEYS = Array.from({ length: 50_000 }, (_, at) => `"k${at}":1`).join(",");
const ANSWER = { jsonrpc: "2.0", id: 1, result: {} };

/** A pipe with one open request, and what goes on from it. */
function openPipe() {
  let isClosed = false;
  const inner: Pipe = {
    start: () => Promise.resolve(),
    send: () => Promise.resolve(),
    close: () => Promise.resolve(void (isClosed = true)),
  };
  const pipe = new RawResults(inner);
  const passed: unknown[] = [];
  const errors: string[] = [];
  pipe.wrap = true;
  pipe.onmessage = (message) => passed.push(message);
  pipe.onerror = ({ message }) => errors.push(message);
  void pipe.send({ jsonrpc: "2.0", id: 1, method: "tools/call" });
  return { inner, pipe, passed, errors, isClosed: () => isClosed };
}

Deno.test("of all answers, only that to an open request goes on, once", () => {
  const { inner, passed, errors } = openPipe();
  const others = [{ id: 2 }, { id: 1.5 }, { id: "1" }, { id: null }, { id: undefined }];
  for (const each of others) inner.onmessage?.({ ...ANSWER, ...each });
  inner.onmessage?.("text");
  inner.onmessage?.([ANSWER]);
  assert.deepEqual(passed, []);
  assert.equal(errors.length, others.length + 2);
  inner.onmessage?.({ ...ANSWER, result: { a: 1 }, extra: 1 });
  inner.onmessage?.(ANSWER);
  assert.equal(passed.length, 1);
  const { result, ...head } = Object(passed[0]);
  assert.deepEqual(head, { jsonrpc: "2.0", id: 1 });
  assert.deepEqual(unwrapResult(result), { a: 1 });
});

Deno.test("of a text, only what is a message goes on", async () => {
  const { pipe, passed, errors } = openPipe();
  await assert.rejects(pipe.read(`{"jsonrpc":"1.0",${KEYS}}`), SyntaxError);
  await assert.rejects(pipe.read("text"), SyntaxError);
  assert.equal(await pipe.read(`{"jsonrpc":"2.0","id":"x","result":{},${KEYS}}`), false);
  assert.deepEqual([passed, errors.length], [[], 1]);
  const list = [{}, null, [ANSWER], { ...ANSWER, id: 2 }, ANSWER, ANSWER];
  assert.equal(await pipe.read(JSON.stringify(list)), true);
  assert.deepEqual([passed.length, errors.length], [1, 6]);
});

Deno.test("a process may answer without a version, and write other JSON", async () => {
  const { inner, passed, errors } = openPipe();
  await assert.rejects(async () => await inner.ontext?.('{"level":30,"msg":"ready"}'), SyntaxError);
  await inner.ontext?.('{"id":1,"result":{}}');
  assert.deepEqual([passed.length, errors], [1, []]);
});

Deno.test("an answer that wants input is no more to the library than another", () => {
  const { inner, passed } = openPipe();
  const result = { resultType: "input_required", inputRequests: { a: {}, b: {} } };
  inner.onmessage?.({ ...ANSWER, result });
  const message = Object(passed[0]);
  assert.equal(message.result.inputRequests, undefined);
  assert.deepEqual(unwrapResult(message.result), result);
});

Deno.test("requests and notifications go on as far as they are read", async (t) => {
  const extra = { k: 1 };
  const method = (name: string) => `notifications/${name}`;
  const cases: Record<string, readonly [message: object, passed: object | undefined]> = {
    "a ping": [{ id: "a", method: "ping", params: extra }, { id: "a", method: "ping" }],
    "an unknown request": [{ id: 7, method: "nonsense", params: extra, ...extra }, {
      id: 7,
      method: "nonsense",
    }],
    "a question, its parameters where the library looks at none": [
      { id: 7, method: "roots/list", params: extra },
      { id: 7, method: "roots/list", params: { _meta: { "toolscript/params": extra } } },
    ],
    "progress": [
      { method: method("progress"), params: { progressToken: 1, progress: 2, ...extra } },
      { method: method("progress"), params: { progressToken: 1, progress: 2 } },
    ],
    "progress of a wrong kind": [
      { method: method("progress"), params: { progressToken: extra, progress: [1], total: 3 } },
      { method: method("progress"), params: { total: 3 } },
    ],
    "its log": [
      { method: method("message"), params: { level: "info", data: extra, _meta: extra, ...extra } },
      { method: method("message"), params: { level: "info", data: extra, _meta: {} } },
    ],
    "a changed list": [{ method: method("tools/list_changed"), params: extra, ...extra }, {
      method: method("tools/list_changed"),
      params: {},
    }],
    "a notification that nobody reads": [{ method: method("beat"), params: extra }, undefined],
  };
  for (const [name, [message, expected]] of Object.entries(cases)) {
    await t.step(name, () => {
      const { inner, passed, errors } = openPipe();
      inner.onmessage?.({ jsonrpc: "2.0", ...message });
      assert.deepEqual(passed, expected === undefined ? [] : [{ jsonrpc: "2.0", ...expected }]);
      assert.deepEqual(errors, []);
    });
  }
});

Deno.test("a server that sends malformed messages without end is ended", async (t) => {
  const malformed: Record<string, object> = {
    "an answer to nothing": { jsonrpc: "2.0", id: 7, result: {} },
    "a request with a wrong id": { jsonrpc: "2.0", id: {}, method: "ping" },
    "a request with wrong parameters": { jsonrpc: "2.0", id: 7, method: "ping", params: [] },
    "a notification of another version": { jsonrpc: "1.0", method: "notifications/message" },
    "a long method": { jsonrpc: "2.0", method: "m".repeat(1_000) },
  };
  for (const [name, message] of Object.entries(malformed)) {
    await t.step(name, () => {
      const { inner, passed, errors, isClosed } = openPipe();
      for (let count = 0; count < 2_000; count++) inner.onmessage?.(message);
      assert.deepEqual([passed.length, errors.length, isClosed()], [0, 1_001, true]);
    });
  }
});

Deno.test("of open requests with one id, the first goes on, and the server is ended", async (t) => {
  const ids = { "a number": [7, 7], "a text": ["7", "7"] };
  for (const [name, [first, second]] of Object.entries(ids)) {
    await t.step(name, () => {
      const { inner, passed, errors, isClosed } = openPipe();
      for (const id of [first, second]) inner.onmessage?.({ jsonrpc: "2.0", id, method: "ping" });
      assert.deepEqual([passed.length, isClosed()], [1, true]);
      assert.deepEqual(errors, ["The server has used the id of an open request again"]);
    });
  }
  await t.step("but a number and a text are two", () => {
    const { inner, passed, isClosed } = openPipe();
    for (const id of [7, "7"]) inner.onmessage?.({ jsonrpc: "2.0", id, method: "ping" });
    assert.deepEqual([passed.length, isClosed()], [2, false]);
  });
});

/** What a caller gets of a stream whose messages are read here, and what is read. */
async function leftOf(stream: string, answers = false) {
  const read: string[] = [];
  const headers = { "content-type": "text/event-stream" };
  const fetch = createBoundedFetch(() => Promise.resolve(new Response(stream, { headers })), {
    maxBytes: 1_000_000,
    messages: {
      read: (text) => Promise.resolve(read.push(text) > 0 && answers),
      refuse: () => {},
    },
  });
  const response = await fetch("http://127.0.0.1/", { method: "POST" });
  return { left: await streamed(response), read };
}

/** Text of a stream: the response's own `text()` gives none. */
const streamed = ({ body }: Response) => new Response(body).text();

Deno.test("messages in a stream are read here, and by nobody else", async (t) => {
  await t.step("of whatever size, in lines of whatever end", async () => {
    const long = `"${"x".repeat(500_000)}"`;
    const stream =
      `: beat\n\ndata: 1\r\n\r\nevent:message\ndata:2\ndata: 3\n\ndata: ${long}\r\rdata:4`;
    assert.deepEqual(await leftOf(stream), { left: "", read: ["1", "2\n3", long] });
  });
  await t.step("but not under another name", async () => {
    const text = JSON.stringify({ ...ANSWER, result: "x".repeat(500_000) });
    assert.deepEqual(await leftOf(`event: foo\ndata: ${text}\n\n`), { left: "", read: [] });
  });
  await t.step("a caller learns of an answer, and of its position", async () => {
    const { left } = await leftOf("id: 7\nretry: 9\ndata: 1\n\n", true);
    assert.match(left, /^id: 7\nretry: 9\ndata: \{"jsonrpc":"2.0",.{0,60}\}\n\n$/);
  });
  await t.step("of no answer where there is no position", async () => {
    assert.deepEqual(await leftOf("data: 1\n\n", true), { left: "", read: ["1"] });
  });
  await t.step("of the position alone where there is no answer", async () => {
    const { left } = await leftOf("event: foo\nid: 7\ndata: 1\n\n");
    assert.equal(left, "event: toolscript/read\nid: 7\ndata:\n\n");
  });
  await t.step("of no position that is long, or no number", async () => {
    const { left } = await leftOf(`id: ${"7".repeat(9_000)}\nretry: x\ndata: 1\n\n`);
    assert.equal(left, "");
  });
  await t.step("of the address for messages, if it is one line", async () => {
    const event = "event: endpoint\ndata: /messages\n\n";
    assert.deepEqual(await leftOf(event), { left: event, read: [] });
    const { left } = await leftOf("event: endpoint\ndata: /\ndata:\ndata: data: {}\n\n");
    assert.equal(left, "");
  });
});

Deno.test("an answer that is no stream is read here, too", async () => {
  const headers = { "content-type": "application/json" };
  const read = async (text: string) => {
    const messages = { read: (text: string) => Promise.resolve(text === "1"), refuse: () => {} };
    const answer = () => Promise.resolve(new Response(text, { headers }));
    const fetch = createBoundedFetch(answer, { maxBytes: 1_000, messages });
    return await (await fetch("http://127.0.0.1/", { method: "POST" })).json();
  };
  assert.deepEqual(await read("1"), []);
  await assert.rejects(read("2"), /answers no open request/);
});

Deno.test("what answers a GET is a stream, whatever type it says", async () => {
  const read: string[] = [];
  const answer = () => Promise.resolve(new Response("data: 1\n\n"));
  const messages = {
    read: (text: string) => Promise.resolve(read.push(text) > 0),
    refuse: () => {},
  };
  const fetch = createBoundedFetch(answer, { maxBytes: 1_000, messages });
  // The library opens such a stream again until it has seen an answer.
  const left = await streamed(await fetch("http://127.0.0.1/"));
  assert.match(left, /^data: .+toolscript.read.+\n\n$/);
  assert.deepEqual(read, ["1"]);
});

Deno.test("of an error over HTTP, 64 kB are read", async (t) => {
  for (const type of ["application/json", "text/event-stream"]) {
    await t.step(type, async () => {
      let isCancelled = false;
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(10_000).fill(120)),
        cancel: () => void (isCancelled = true),
      });
      const init = { status: 400, headers: { "content-type": type } };
      const fetch = createBoundedFetch(() => Promise.resolve(new Response(body, init)), {
        maxBytes: 24_000_000,
      });
      const text = await (await fetch("http://127.0.0.1/", { method: "POST" })).text();
      assert.deepEqual([text.length, isCancelled], [65_536, true]);
    });
  }
});

Deno.test("other work runs while a list of messages is read", async (t) => {
  const notice = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug"}}';
  const cases: Record<string, readonly [count: number, outcome: string]> = {
    "of 5,000": [5_000, "done"],
    "of 100,000, which are too many": [100_000, "unavailable"],
  };
  for (const [name, [count, expected]] of Object.entries(cases)) {
    await t.step(name, async () => {
      await using remote = serve((answer) => `[${`${notice},`.repeat(count)}${answer}]`);
      await using harness = await startPack(httpServer({ url: remote.url }));
      let turns = 0;
      const timer = setInterval(() => turns++, 0);
      const outcome = await harness.pack.call("call", {}, {})
        .then(({ value }) => value, ({ code }) => code);
      clearInterval(timer);
      assert.equal(outcome, expected);
      assert.ok(turns > 5, `${turns} turns`);
    });
  }
});

/** Serves a tool of the older protocol. */
function serve(respond: (answer: string) => string) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { id, method, params } = await request.json();
    if (id === undefined || method === undefined) return new Response(null, { status: 202 });
    const answer = JSON.stringify({ jsonrpc: "2.0", id, ...answerTo(method, params) });
    const headers = { "content-type": "application/json" };
    return new Response(method === "tools/call" ? respond(answer) : answer, { headers });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function answerTo(method: string, params: { readonly protocolVersion?: string }): object {
  if (method === "initialize") {
    const serverInfo = { name: "messages", version: "1" };
    const { protocolVersion } = params;
    return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
  }
  const tools = [{ name: "call", inputSchema: { type: "object" } }];
  if (method === "tools/list") return { result: { tools } };
  if (method === "tools/call") return { result: { content: [{ type: "text", text: "done" }] } };
  return { error: { code: -32601, message: "Method not found" } };
}
