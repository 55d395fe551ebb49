/** Tokens in answers to another request than the one that they were sent with. */

import assert from "node:assert/strict";
import { type AuthTarget, authTarget, createCredentialStore, createTokenKeeper } from "#packs/auth";
import { createBoundedFetch } from "../../../../packs/mcp/connect/bounded_fetch.ts";
import type { Fetch } from "../../../../packs/mcp/connect/plain_fetch.ts";
import { httpServer } from "../../../support/servers.ts";
import { openPack } from "../harness.ts";

/** Keeper of one server, at which a person signs in again and again. */
async function openKeeper(url: string, kind: "http" | "sse") {
  const config = httpServer({ name: "crm", url, kind });
  const target = authTarget(config);
  assert.ok(target);
  const home = await Deno.makeTempDir({ prefix: "toolscript-home-" });
  const store = createCredentialStore({ home, log: () => {} });
  const renew = () => Promise.resolve("needs_sign_in" as const);
  const keeper = createTokenKeeper({ store, fetch, now: Date.now, log: () => {}, renew });
  return {
    config,
    keeper,
    target,
    auth: keeper.authOf(target),
    async signIn(access: string, changes: Partial<AuthTarget & { issuer: string }> = {}) {
      const { issuer, server, url, account } = { issuer: undefined, ...target, ...changes };
      const tokens = { access, at: Date.now(), lifeMs: 3_600_000 };
      const discovery = issuer === undefined ? undefined : { authorizationServerUrl: issuer };
      await store.write({ server, url, account, tokens, discovery });
    },
    [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }),
  };
}

const TOOLS = [{ name: "headers", description: "Its headers", inputSchema: { type: "object" } }];

/** A server of the older transport whose tool tells the headers of its request. */
function startOlderServer() {
  const encoder = new TextEncoder();
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const say = (event: string, data: string) =>
    stream?.enqueue(encoder.encode(`event: ${event}\ndata: ${data}\n\n`));
  const resultOf = (method: string, headers: Headers): unknown => {
    if (method === "tools/list") return { tools: TOOLS };
    if (method === "tools/call") {
      return { content: [{ type: "text", text: String([...headers]) }] };
    }
    const serverInfo = { name: "older", version: "1" };
    return { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo };
  };
  const opened: (string | null)[] = [];
  const end = new AbortController();
  const options = { port: 0, hostname: "127.0.0.1", onListen() {}, signal: end.signal };
  const server = Deno.serve(options, async (request) => {
    if (request.method === "GET") {
      opened.push(request.headers.get("authorization"));
      const body = new ReadableStream<Uint8Array>({ start: (own) => void (stream = own) });
      say("endpoint", "/messages");
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    }
    const { id, method } = await request.json();
    const result = resultOf(method, request.headers);
    if (id !== undefined) say("message", JSON.stringify({ jsonrpc: "2.0", id, result }));
    return new Response(null, { status: 202 });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/sse`,
    opened,
    async [Symbol.asyncDispose]() {
      end.abort();
      await server.finished;
    },
  };
}

Deno.test("an older stream shows no token of the calls that it answers", async () => {
  await using server = startOlderServer();
  await using keeper = await openKeeper(server.url, "sse");
  await keeper.signIn("first-secret");
  await using harness = await openPack(keeper.config, { keeper: keeper.keeper });
  for (const token of ["first-secret", "second-secret", "third, which is longer", "the 4th!"]) {
    await keeper.signIn(token);
    const { value } = await harness.pack.call("headers", {}, {});
    assert.match(String(value), new RegExp(`Bearer [*]{${token.length}},content`));
  }
  assert.deepEqual(server.opened, ["Bearer first-secret"]);
});

/** Responses to `GET`, whose bodies the test writes. */
function openStreams() {
  const written: WritableStreamDefaultWriter<Uint8Array>[] = [];
  const send: Fetch = () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    written.push(writable.getWriter());
    const headers = { "content-type": "text/event-stream" };
    return Promise.resolve(new Response(readable, { headers }));
  };
  return {
    send,
    /** Writes to the stream that was opened last, or to `at`, and closes it. */
    async write(chunks: readonly string[], at = written.length - 1) {
      for (const chunk of chunks) await written[at]?.write(new TextEncoder().encode(chunk));
      await written[at]?.close();
    },
  };
}

interface StreamRow {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly chunks: readonly string[];
  readonly expected: string;
}

const TEN = Array.from({ length: 10 }, (_, at) => `token-no-${at}`);

Deno.test("a stream of events shows no token that was given out before or after it", async (t) => {
  const rows: Record<string, StreamRow> = {
    "opened with an older token": {
      before: ["old-token-1"],
      after: ["new-token-1"],
      chunks: ["data: old-token-1 new-token-1\n\n"],
      expected: "data: *********** ***********\n\n",
    },
    "resumed with a newer token": {
      before: ["old-token-1", "new-token-1"],
      after: [],
      chunks: ["data: old-token-1\n\n", "data: new-token-1\n\n"],
      expected: "data: ***********\n\ndata: ***********\n\n",
    },
    "opened without a token": {
      before: [],
      after: ["new-token-1"],
      chunks: ["data: new-token-1\n\n"],
      expected: "data: ***********\n\n",
    },
    "a newer token, divided": {
      before: ["old-token-1"],
      after: ["new-token-1"],
      chunks: ["data: ne", "w", "-token-1 n", "ew-token-2\n\n"],
      expected: "data: *********** new-token-2\n\n",
    },
    "tokens that overlap, divided": {
      before: ["123-ab-cd"],
      after: ["cd-ef-456", "789-b-c-789"],
      chunks: ["data: 123-ab-c", "d-ef-456 789-b-", "c-789 cd-e\n\n"],
      expected: "data: **************** *********** cd-e\n\n",
    },
    "a token that begins with another": {
      before: ["12345abc"],
      after: ["12345abcdef"],
      chunks: ["data: 12345abc", "def 12345abcd", "e\n\n"],
      expected: "data: *********** ********de\n\n",
    },
    "with slashes that JSON escapes": {
      before: ["a/b/c/123"],
      after: ["d/e/4567"],
      chunks: ["data: a/b/c/123 a\\/b\\", "/c\\/123 d\\/e\\/4567\n\n"],
      expected: "data: ********* ************ **********\n\n",
    },
    "with characters that JSON escapes, in JSON": {
      before: ["1234a+b/c"],
      after: ["1234d+e=="],
      chunks: [
        "data: 1234a\\\\u00",
        "2Bb\\\\\\/c 1234d\\u002be=",
        "\\u003D 1234d%2Be%3D%3d d+e=\n\n",
      ],
      expected: `data: ${"*".repeat(18)} ${"*".repeat(19)} ${"*".repeat(15)} d+e=\n\n`,
    },
    "its own token, after many others": {
      before: ["own-token"],
      after: TEN,
      chunks: ["data: own-token token-no-0 token-no-9\n\n"],
      expected: "data: ********* ********** **********\n\n",
    },
  };
  for (const [name, { before, after, chunks, expected }] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using keeper = await openKeeper("https://crm.example.com/mcp", "http");
      const streams = openStreams();
      const { auth } = keeper;
      const bounded = createBoundedFetch(streams.send, {
        maxBytes: 1_000_000,
        conceal: auth.conceal,
      });
      const send = auth.observe(bounded);
      const open = async () => {
        const token = await auth.token();
        const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
        return await send("https://crm.example.com/mcp", { headers });
      };
      for (const token of before) {
        await keeper.signIn(token);
        await auth.token();
      }
      const response = await open();
      for (const token of after) {
        await keeper.signIn(token);
        await auth.token();
      }
      void streams.write(chunks);
      assert.equal(await response.text(), expected);
    });
  }
});

Deno.test("an answer shows no token from before, in its headers and its body", async () => {
  await using keeper = await openKeeper("https://crm.example.com/mcp", "http");
  const { auth } = keeper;
  for (const token of ["old-token-1", "new-token-1"]) {
    await keeper.signIn(token);
    await auth.token();
  }
  const init = { headers: { authorization: "Bearer new-token-1" } };
  const answer = new Response("was old-token-1, is new-token-1", {
    status: 500,
    headers: { location: "old-token-1" },
  });
  const covered = auth.conceal(answer, init);
  assert.equal(covered.headers.get("location"), "***********");
  assert.equal(await covered.text(), "was ***********, is ***********");
});

Deno.test("an answer shows no token of another account of the host", async (t) => {
  const url = "https://crm.example.com/mcp";
  const accountsOf: Record<string, Partial<AuthTarget>> = {
    "another account": { account: "home" },
    "another server of the host": { server: "other", url: "https://crm.example.com/other" },
    "its plain address": { url: "http://crm.example.com/mcp" },
  };
  for (const [name, changes] of Object.entries(accountsOf)) {
    await t.step(name, async () => {
      await using keeper = await openKeeper(url, "http");
      const other = keeper.keeper.authOf({ ...keeper.target, ...changes });
      for (const token of ["home-token-1", "home-token-2"]) {
        await keeper.signIn(token, changes);
        await other.token();
      }
      for (const token of TEN) {
        await keeper.signIn(token);
        await keeper.auth.token();
      }
      const answer = new Response("old-token-1 home-token-2 home-token-1");
      assert.equal(
        await keeper.auth.conceal(answer).text(),
        "old-token-1 ************ ************",
      );
    });
  }
  await t.step("but those of another host", async () => {
    await using keeper = await openKeeper(url, "http");
    const changes = { url: "https://elsewhere.example.com/mcp" };
    const other = keeper.keeper.authOf({ ...keeper.target, ...changes });
    await keeper.signIn("home-token-1", changes);
    await other.token();
    assert.equal(await keeper.auth.conceal(new Response("home-token-1")).text(), "home-token-1");
  });
});

Deno.test("an authorization server covers no text of its choice in answers of others", async (t) => {
  const url = "https://crm.example.com/mcp";
  const hostile = { server: "other", url: "https://crm.example.com/other" };
  const issuers: Record<string, readonly (string | undefined)[]> = {
    "another issuer's": ["https://login.example.com", "structuredContent"],
    "one without a sign-in": [undefined, "structuredContent"],
    "the same issuer's": ["https://hostile.example.com", "*****************"],
  };
  for (const [name, [issuer, expected]] of Object.entries(issuers)) {
    await t.step(name, async () => {
      await using keeper = await openKeeper(url, "http");
      const other = keeper.keeper.authOf({ ...keeper.target, ...hostile });
      await keeper.signIn("structuredContent", {
        ...hostile,
        issuer: "https://hostile.example.com",
      });
      await other.token();
      if (issuer !== undefined) await keeper.signIn("honest-token", { issuer });
      await keeper.auth.token();
      const answer = await keeper.auth.conceal(new Response("structuredContent")).text();
      assert.equal(answer, expected);
    });
  }
});
