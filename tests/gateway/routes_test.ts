import assert from "node:assert/strict";
import { openGateway } from "../support/gateway.ts";

function withFiles(count: number): string {
  const files = Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.ts`, ""]));
  return JSON.stringify({ script: "1", files });
}

Deno.test("the gateway responds to each request as documented", async (t) => {
  await using gateway = await openGateway({ gateway: { max_body_mb: 1 } });
  const json = { "content-type": "application/json" };
  const none = { authorization: "" };

  const rows: {
    name: string;
    path: string;
    init?: RequestInit;
    status: number;
    code?: string;
  }[] = [
    { name: "health needs no token", path: "/health", init: { headers: none }, status: 200 },
    { name: "ready needs no token", path: "/ready", init: { headers: none }, status: 200 },
    { name: "status needs no token", path: "/status", init: { headers: none }, status: 200 },
    {
      name: "without a token",
      path: "/runtime/tools.ts",
      init: { headers: none },
      status: 401,
      code: "unauthorized",
    },
    {
      name: "with a wrong token",
      path: "/runtime/tools.ts",
      init: { headers: { authorization: "Bearer nonsense" } },
      status: 401,
      code: "unauthorized",
    },
    { name: "the module", path: "/runtime/tools.ts", status: 200 },
    {
      name: "a filter of as many entries as it may have",
      path: `/runtime/tools.ts?filter=${"x,".repeat(200)}`,
      status: 200,
    },
    {
      name: "a filter of more",
      path: `/runtime/types/file.ts?filter=${"x,".repeat(201)}`,
      status: 400,
      code: "bad_request",
    },
    { name: "an unknown path", path: "/nothing", status: 404, code: "not_found" },
    {
      name: "an unknown path without a token",
      path: "/nothing",
      init: { headers: none },
      status: 401,
      code: "unauthorized",
    },
    { name: "a wrong method", path: "/run", status: 405, code: "bad_request" },
    {
      name: "an unknown module before a wrong method",
      path: "/runtime/nosuch.ts",
      init: { method: "POST" },
      status: 404,
      code: "not_found",
    },
    {
      name: "an unknown module before an unknown method",
      path: "/runtime/types/nosuch.ts",
      init: { method: "PROPFIND" },
      status: 404,
      code: "not_found",
    },
    {
      name: "an unknown run before a wrong method",
      path: "/r/abc/runtime/tools.ts",
      init: { method: "DELETE" },
      status: 404,
      code: "not_found",
    },
    {
      name: "a wrong method for a module",
      path: "/runtime/tools.ts",
      init: { method: "POST" },
      status: 405,
      code: "bad_request",
    },
    {
      name: "a foreign origin before all else",
      path: "/run",
      init: { method: "POST", headers: { ...none, origin: "http://evil.example" } },
      status: 403,
      code: "forbidden",
    },
    {
      name: "a null origin",
      path: "/health",
      init: { headers: { origin: "null" } },
      status: 403,
      code: "forbidden",
    },
    {
      name: "a body of another type",
      path: "/run",
      init: { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" },
      status: 415,
      code: "bad_request",
    },
    {
      name: "a body that is no JSON",
      path: "/run",
      init: { method: "POST", headers: json, body: "{" },
      status: 400,
      code: "bad_request",
    },
    {
      name: "a body that is too large",
      path: "/run",
      init: {
        method: "POST",
        headers: json,
        body: JSON.stringify({ script: "x".repeat(2_000_000) }),
      },
      status: 413,
      code: "too_large",
    },
    {
      name: "a command of more than a million characters",
      path: "/run",
      init: { method: "POST", headers: json, body: `{"command": "${"1".repeat(1_000_001)}"}` },
      status: 200,
      code: "too_large",
    },
    {
      name: "a run without a script",
      path: "/run",
      init: { method: "POST", headers: json, body: "{}" },
      status: 400,
      code: "bad_request",
    },
    {
      name: "a run with an unknown key",
      path: "/run",
      init: { method: "POST", headers: json, body: '{"script": "1", "scrpt": 1}' },
      status: 400,
      code: "bad_request",
    },
    {
      name: "a file that is not below the script",
      path: "/run",
      init: { method: "POST", headers: json, body: '{"script": "1", "files": {"../a.ts": ""}}' },
      status: 400,
      code: "bad_request",
    },
    {
      name: "as many files as a script may have",
      path: "/run",
      init: { method: "POST", headers: json, body: withFiles(5_000) },
      status: 200,
    },
    {
      name: "more files",
      path: "/run",
      init: { method: "POST", headers: json, body: withFiles(5_001) },
      status: 400,
      code: "bad_request",
    },
    {
      name: "an unknown pack",
      path: "/tools/nothing__here",
      init: { method: "POST", headers: json, body: "{}" },
      status: 404,
      code: "unknown_pack",
    },
    {
      name: "a run's path that never was",
      path: "/r/abc/runtime/tools.ts",
      status: 404,
      code: "not_found",
    },
  ];
  for (const { name, path, init, status, code } of rows) {
    await t.step(name, async () => {
      const response = await gateway.fetch(path, init);
      const text = await response.text();
      assert.equal(response.status, status, text);
      if (code !== undefined) assert.equal(JSON.parse(text).error.code, code);
    });
  }

  await t.step("a foreign Host is refused (DNS rebinding)", async () => {
    assert.match(await rawGet(gateway.url, "evil.example"), /^HTTP\/1.1 403 /);
    assert.match(await rawGet(gateway.url, "127.0.0.1:1"), /^HTTP\/1.1 403 /);
    assert.match(await rawGet(gateway.url, new URL(gateway.url).host), /^HTTP\/1.1 200 /);
  });

  await t.step("an error contains no path and no stack", async () => {
    const response = await gateway.post("/tools/%E0%A4%A", {});
    const text = await response.text();
    assert.ok(response.status >= 400 && response.status < 500, text);
    assert.doesNotMatch(text, /\/(home|root|tmp|work)\/|\.ts:\d+/);
  });
});

async function rawGet(url: string, host: string): Promise<string> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const request = `GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  await connection.write(new TextEncoder().encode(request));
  const bytes = new Uint8Array(4096);
  const read = await connection.read(bytes);
  return new TextDecoder().decode(bytes.subarray(0, read ?? 0));
}

Deno.test("GET /health, /ready and /status have their documented shapes", async () => {
  await using gateway = await openGateway();
  const health = await (await gateway.fetch("/health")).json();
  assert.deepEqual(Object.keys(health), ["status", "version"]);
  assert.equal(health.status, "ok");
  assert.deepEqual(await (await gateway.fetch("/ready")).json(), { ready: true, pending: [] });
  const status = await (await gateway.fetch("/status")).json();
  assert.equal(status.version, health.version);
  assert.equal(typeof status.uptime_s, "number");
  assert.deepEqual(status.servers, {});
  assert.deepEqual(status.workers, {});
  assert.equal(status.sandbox.running, 0);
  assert.equal(status.sandbox.queued, 0);
  assert.ok(status.sandbox.walls.includes("deno"));
});
