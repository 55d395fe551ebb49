/** Answers that are compressed: what unpacks to nothing would take the gateway's thread. */

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { asAuthError } from "../../packs/mcp/auth/auth_failure.ts";
import { createAuthFetch } from "../../packs/mcp/auth/auth_fetch.ts";
import { openPack, startPack } from "../packs/mcp/harness.ts";
import { withBuiltinPack } from "../support/builtin_pack.ts";
import { httpServer } from "../support/servers.ts";
import { longestTurn } from "../support/turns.ts";
import { type HttpStage, PACK, sendEndless, serveHttp } from "./packed_server.ts";

const JSON_TYPE = "application/json";
const REFUSED =
  /"remote" is not available: compressed answer: switch compression off at the server or its proxy$/;

/** Answers of tools by their names. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse, text: string) => void>> = {
  plain: (response, text) => send(response, text, {}),
  identity: (response, text) => send(response, text, { "content-encoding": "identity" }),
  misnamed: (response, text) => send(response, text, { "content-encoding": "utf-8" }),
  gzip: (response, text) => send(response, PACK.gzip?.(text), { "content-encoding": "gzip" }),
  capitals: (response, text) => send(response, PACK.gzip?.(text), { "content-encoding": "GZIP" }),
  twice: (response, text) =>
    send(response, PACK.br?.(text), { "content-encoding": "identity, br" }),
  endless: (response) => sendEndless(response, JSON_TYPE),
  stream: (response) => sendEndless(response, "text/event-stream"),
};
const OPEN = ["plain", "identity", "misnamed"];

function send(
  response: ServerResponse,
  body: string | Uint8Array | undefined,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(200, { "content-type": JSON_TYPE, ...headers });
  response.end(body);
}

/** A server of an older protocol, whose stream is endless, and which packs what holds no message. */
function serveTools(): Promise<HttpStage> {
  return serveHttp((request, response, body) => {
    if (request.method === "GET") return sendEndless(response, "text/event-stream");
    if (body === "") return void response.writeHead(200, { "content-encoding": "gzip" }).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) {
      response.writeHead(202, { "content-encoding": "gzip", "content-type": JSON_TYPE });
      return void response.end(gzipSync(""));
    }
    const text = (result: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result });
    if (method === "initialize") {
      const serverInfo = { name: "s", version: "1" };
      const protocolVersion = "2025-06-18";
      return send(response, text({ protocolVersion, serverInfo, capabilities: { tools: {} } }), {});
    }
    if (method === "tools/list") {
      const inputSchema = { type: "object" };
      const tools = Object.keys(ANSWERS).map((name) => ({ name, inputSchema }));
      return send(response, text({ tools }), {});
    }
    if (method === "tools/call") {
      return ANSWERS[params.name]?.(response, text({ content: [{ type: "text", text: "tea" }] }));
    }
    const error = { code: -32601, message: "no" };
    send(response, JSON.stringify({ jsonrpc: "2.0", id, error }), {});
  });
}

Deno.test("a compressed answer of a tool is refused, and the server stays", async (t) => {
  await using server = await serveTools();
  const config = httpServer({ url: `${server.origin}/mcp`, timeoutMs: 10_000 });
  await using harness = await startPack(config);
  const longest = longestTurn();
  for (const name of Object.keys(ANSWERS)) {
    await t.step(name, async () => {
      const call = harness.pack.call(name, {}, {});
      if (OPEN.includes(name)) deepEqual(await call, { value: "tea" });
      else await rejects(call, { code: "unavailable", message: REFUSED });
    });
  }
  await t.step("32 at once", async () => {
    const calls = Array.from({ length: 32 }, () => harness.pack.call("endless", {}, {}));
    for (const { status } of await Promise.allSettled(calls)) equal(status, "rejected");
    deepEqual(await harness.pack.call("plain", {}, {}), { value: "tea" });
  });
  ok(longest() < 1_000, `${longest()} ms`);
  deepEqual([...server.accepted], ["identity"]);
});

Deno.test("a server whose every answer is compressed is not connected", async (t) => {
  for (const kind of ["http", "sse"] as const) {
    await t.step(kind, async () => {
      await using server = await serveHttp((_, response) =>
        sendEndless(response, kind === "sse" ? "text/event-stream" : JSON_TYPE)
      );
      await using harness = await openPack(httpServer({ kind, url: `${server.origin}/mcp` }));
      await harness.pack.settle();
      match(String(harness.pack.status().error), /^(compressed|unusable) answer/);
    });
  }
});

Deno.test("a compressed error keeps its status", async (t) => {
  const rows = { 401: "authorization needed", 403: "access denied", 500: "HTTP status 500" };
  for (const [status, error] of Object.entries(rows)) {
    await t.step(status, async () => {
      await using server = await serveHttp((_, response) => {
        response.writeHead(Number(status), { "content-encoding": "gzip" });
        response.end(gzipSync("no"));
      });
      await using harness = await openPack(httpServer({ url: `${server.origin}/mcp` }));
      await harness.pack.settle();
      equal(harness.pack.status().error, error);
    });
  }
});

Deno.test("a compressed answer of an authorization server is refused", async (t) => {
  await using server = await serveHttp(({ url }, response) => {
    if (url === "/plain") return send(response, '{"issuer":"https://tea.example"}', {});
    if (url === "/endless") return sendEndless(response, JSON_TYPE);
    response.writeHead(404, { "content-encoding": "gzip" });
    response.end(gzipSync("no"));
  });
  const fetch = createAuthFetch(globalThis.fetch, { timeoutMs: 20_000 });
  await t.step("one that is not", async () => {
    const document = await (await fetch(`${server.origin}/plain`)).json();
    deepEqual(document, { issuer: "https://tea.example" });
  });
  await t.step("a document, and a token", async () => {
    for (const method of ["GET", "POST"]) {
      const error = await fetch(`${server.origin}/endless`, { method }).catch((error) => error);
      const reason = "the authorization server: compressed answer: switch compression off at the " +
        "server or its proxy";
      equal(asAuthError(error).reason, reason);
    }
  });
  await t.step("a status", async () => {
    equal((await fetch(`${server.origin}/nothing`)).status, 404);
  });
  deepEqual([...server.accepted], ["identity"]);
});

Deno.test("pages through a proxy are unpacked as those that come directly", async (t) => {
  await using proxy = await serveHttp(({ url }, response) => {
    const name = new URL(url ?? "").pathname.slice(1);
    if (name === "robots.txt") return void response.writeHead(404).end();
    if (name === "endless") return sendEndless(response, "text/plain");
    if (name === "moved") {
      response.writeHead(302, { "content-encoding": "gzip", location: "/gzip" });
      return void response.end(gzipSync("x".repeat(100_000)));
    }
    const text = name === "large" ? "x".repeat(3_000_000) : `tea ${name}`;
    const encoding = name in PACK ? name : "gzip";
    response.writeHead(200, { "content-type": "text/plain", "content-encoding": encoding });
    response.end(PACK[encoding]?.(text));
  });
  const settings = { max_mb: 1, requests_per_second: 100 };
  const environment = { http_proxy: proxy.origin };
  await withBuiltinPack({ name: "web", settings, environment }, async ({ call }) => {
    const page = (name: string) => call("fetch", { url: `http://tea.example/${name}` });
    for (const name of Object.keys(PACK)) {
      await t.step(name, async () => match(JSON.stringify(await page(name)), /"tea /));
    }
    await t.step("behind a redirect", async () => {
      match(JSON.stringify(await page("moved")), /"tea gzip"/);
    });
    await t.step("one that grows", async () => {
      await rejects(page("large"), { code: "too_large" });
    });
  });
  const short = { ...settings, timeout: 3 };
  await withBuiltinPack({ name: "web", settings: short, environment }, async ({ call }) => {
    await t.step("one of nothing without an end", async () => {
      const longest = longestTurn();
      await rejects(call("fetch", { url: "http://tea.example/endless" }), { code: "timeout" });
      ok(longest() < 1_000, `${longest()} ms`);
    });
  });
  deepEqual([...proxy.accepted], ["identity"]);
});
