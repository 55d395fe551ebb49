/** Walls of the sign-in: other origins, networks in clear, and answers without end. */

import assert from "node:assert/strict";
import { openTransfer, sealTransfer } from "#packs/auth";
import { createAuthFetch } from "../../../../packs/mcp/auth/auth_fetch.ts";
import { openGuarded } from "./harness.ts";

/** A server of another origin, and everything that it was sent. */
function startStranger() {
  const requests: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const headers = JSON.stringify([...request.headers]);
    requests.push(`${request.method} ${request.url} ${headers} ${await request.text()}`);
    return Response.json({ access_token: "stolen", token_type: "Bearer" });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("a redirect to another origin carries nothing", async (t) => {
  const config = {
    headers: { "x-api-key": "configured-secret" },
    oauth: { grant: "client_credentials" as const, clientId: "robot", clientSecret: "hush-hush" },
  };
  for (const status of [301, 302, 307, 308]) {
    await t.step(`of the server, ${status}`, async () => {
      await using stranger = startStranger();
      await using guarded = await openGuarded({ config });
      await guarded.signedIn();
      guarded.resource.answer = () =>
        new Response(null, { status, headers: { location: `${stranger.url}/mcp` } });
      await assert.rejects(guarded.pack.call("whoami", {}, {}));
      assert.deepEqual(stranger.requests, []);
    });
    await t.step(`of the token endpoint, ${status}`, async () => {
      await using stranger = startStranger();
      const answer = () =>
        new Response(null, { status, headers: { location: `${stranger.url}/token` } });
      await using guarded = await openGuarded({ config, quirks: { answer } });
      await assert.rejects(guarded.pack.call("whoami", {}, {}));
      assert.deepEqual(stranger.requests, []);
    });
    await t.step(`of the metadata, ${status}`, async () => {
      await using stranger = startStranger();
      await using guarded = await openGuarded({ config });
      guarded.issuer.quirks.metadata = () =>
        new Response(null, { status, headers: { location: `${stranger.url}/metadata` } });
      await guarded.pack.call("whoami", {}, {}).catch(() => {}); // or with the usual addresses
      assert.deepEqual(stranger.requests, []);
    });
  }
});

Deno.test("configured headers go to the server alone", async () => {
  const config = { headers: { "x-api-key": "configured-secret" } };
  await using guarded = await openGuarded({ config });
  await guarded.signedIn({ at: 0 });
  await guarded.pack.call("whoami", {}, {});
  assert.equal(guarded.issuer.redemptions(), 1);
  assert.equal(guarded.issuer.tokenHeaders[0]?.get("x-api-key"), null);
});

Deno.test("metadata that cannot be trusted end the sign-in", async (t) => {
  const config = {
    oauth: { grant: "client_credentials" as const, clientId: "robot", clientSecret: "hush-hush" },
  };
  const rows: Record<string, (issuer: string) => Record<string, unknown> | Response> = {
    "more than 1 MB": (issuer) => ({ issuer, padding: "x".repeat(1_100_000) }),
    "another issuer": () => ({ issuer: "https://other.example.com" }),
    "a token endpoint in clear": (issuer) => ({ issuer, token_endpoint: "http://192.0.2.1/token" }),
    "a token endpoint with a user": (issuer) => ({
      issuer,
      token_endpoint: "https://user:secret@example.com/token",
    }),
    "no JSON": () => new Response("<html>", { headers: { "content-type": "text/html" } }),
    "nested too deep": () => new Response("[".repeat(100_000)),
  };
  for (const [name, change] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using guarded = await openGuarded({ config });
      const { quirks, url } = guarded.issuer;
      const changed = change(url);
      if (changed instanceof Response) quirks.metadata = () => changed.clone();
      else quirks.fields = changed;
      await assert.rejects(guarded.pack.call("whoami", {}, {}), { code: "unavailable" });
      assert.deepEqual(guarded.issuer.forms, []);
    });
  }
});

Deno.test("createAuthFetch() goes to https and this machine alone, and waits for a limited time", async () => {
  const reached: string[] = [];
  const never = createAuthFetch((input) => {
    reached.push(String(input));
    return Promise.resolve(new Response("{}"));
  });
  for (
    const url of ["http://example.com/", "http://127.0.0.1.example.com/", "ftp://example.com/"]
  ) {
    await assert.rejects(never(url), { name: "AuthError" });
  }
  assert.deepEqual(reached, []);
  for (const url of ["https://example.com/", "http://127.0.0.1:1/", "http://[::1]:1/"]) {
    await never(url);
  }
  await using silentServer = serveSilence();
  const hasty = createAuthFetch(fetch, { timeoutMs: 50 });
  await assert.rejects(hasty(silentServer.url), { name: "TimeoutError" });
});

Deno.test("a sign-in asks for a bounded number of scopes, each of bounded length", async () => {
  const short = Array.from({ length: 100 }, (_, index) => `read:${index}`);
  const scopes_supported = [
    "x".repeat(1_000),
    "two words",
    ...short,
    ...Array(99).fill("offline_access"),
  ];
  const document = createAuthFetch(() => Promise.resolve(Response.json({ scopes_supported })));
  const read = await (await document("https://example.com/")).json();
  assert.deepEqual(read.scopes_supported, [...short.slice(0, 50), "offline_access"]);
  const odd = createAuthFetch(() => Promise.resolve(Response.json({ scopes_supported: "x" })));
  assert.deepEqual(await (await odd("https://example.com/")).json(), { scopes_supported: "x" });
});

Deno.test("a server that repeats the token gives it to nobody", async (t) => {
  const answers: Record<string, (token: string) => Response> = {
    "in an error": (token) => new Response(`No: ${token}`, { status: 500 }),
    "in a status of HTTP 400": (token) =>
      Response.json({ jsonrpc: "2.0", id: 1, error: { code: -1, message: token } }, {
        status: 400,
      }),
    "in a challenge": (token) =>
      new Response("", {
        status: 403,
        headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${token}"` },
      }),
  };
  for (const [name, answer] of Object.entries(answers)) {
    await t.step(name, async () => {
      await using guarded = await openGuarded();
      const { access } = await guarded.signedIn();
      guarded.resource.answer = (request) =>
        answer(request.headers.get("authorization")?.replace("Bearer ", "") ?? "");
      const error = await guarded.pack.call("whoami", {}, {}).catch((error) => error);
      const texts = [...guarded.logged, error.message, JSON.stringify(error.details)];
      assert.ok(!texts.join("\n").includes(access), texts.join("\n"));
    });
  }
  await t.step("in a result", async () => {
    await using guarded = await openGuarded();
    const { access } = await guarded.signedIn();
    const token = guarded.issuer.tokens.get(access);
    assert.ok(token);
    guarded.issuer.tokens.set(access, { ...token, user: access });
    const { value } = await guarded.pack.call("whoami", {}, {});
    assert.equal(value, `${"*".repeat(access.length)} whoami`);
  });
});

Deno.test("createAuthFetch() refuses tokens of over 16 kB alone", async () => {
  for (const name of ["access_token", "refresh_token"]) {
    const ask = (length: number) => {
      const answer = { access_token: "a", [name]: "x".repeat(length) };
      const fetch = createAuthFetch(() => Promise.resolve(Response.json(answer)));
      const body = new URLSearchParams({ grant_type: "refresh_token" });
      return fetch("https://issuer.example/token", { method: "POST", body });
    };
    assert.equal((await (await ask(16_384)).json())[name].length, 16_384);
    await assert.rejects(ask(16_385), { name: "AuthError", message: /has over 16 kB$/ });
  }
});

Deno.test("createAuthFetch() keeps of life and scope what the standard has", async (t) => {
  const read = async (fields: Record<string, unknown>) => {
    const answer = Response.json({ access_token: "t", ...fields });
    const fetch = createAuthFetch(() => Promise.resolve(answer));
    const body = new URLSearchParams({ grant_type: "authorization_code" });
    const response = await fetch("https://issuer.example/token", { method: "POST", body });
    return await response.json();
  };
  const lives: [unknown, unknown][] = [
    [3600, 3600],
    ["3600", 3600],
    [315_360_000, 315_360_000],
    [315_360_001, undefined],
    [1e300, undefined],
    ["1e300", undefined],
    [-1, undefined],
  ];
  for (const [life, expected] of lives) {
    await t.step(`life ${life}`, async () => {
      assert.equal((await read({ expires_in: life })).expires_in, expected);
    });
  }
  const many = Array.from({ length: 60 }, (_, index) => `text:${index}`);
  const scopes: [string, string][] = [
    ["read repo,gist https://a.example/x", "read repo,gist https://a.example/x"],
    ["a\u001b]0;x\u0007\u202eb\nok            signed_in", "signed_in"],
    [`read ${"x".repeat(201)} a"b a\\b`, "read"],
    [many.join(" "), many.slice(0, 50).join(" ")],
  ];
  for (const [index, [scope, expected]] of scopes.entries()) {
    await t.step(
      `scope ${index}`,
      async () => assert.equal((await read({ scope })).scope, expected),
    );
  }
});

Deno.test("openTransfer() refuses tokens of over 16 kB alone", async () => {
  const carry = async (tokens: { access: string; refresh?: string }) => {
    const id = { server: "crm", url: "https://crm.example/mcp", account: "" };
    const sealed = await sealTransfer({ ...id, tokens: { at: 0, ...tokens } }, "hush");
    return await openTransfer(sealed, "hush");
  };
  assert.equal((await carry({ access: "x".repeat(16_384) }))?.server, "crm");
  const long = "x".repeat(16_385);
  for (const tokens of [{ access: long }, { access: "a", refresh: long }]) {
    await assert.rejects(carry(tokens), { name: "AuthError", message: /has over 16 kB$/ });
  }
});

/** A server that begins an answer and never ends it. */
function serveSilence() {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () =>
      new Response(
        new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }),
      ),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("createAuthFetch() keeps of a document plain fields, and lists of some hundred texts", async (t) => {
  const texts = Array.from({ length: 600 }, (_, index) => `scope:${index}`);
  const plain = { issuer: "https://issuer.example", interval: 5, is_supported: true };
  const document = {
    ...plain,
    list: [...Array(1_000).fill(1), ...texts],
    empty: [],
    object: { a: 1 },
    nothing: null,
    long: "x".repeat(16_385),
    ["x".repeat(16_385)]: 1,
  };
  const many = Array.from({ length: 300 }, (_, index) => [`k${index}`, index]);
  const expected = { ...plain, list: texts.slice(0, 500), empty: [] };
  for (const method of ["GET", "POST"]) {
    const read = async (answer: Response) => {
      const fetch = createAuthFetch(() => Promise.resolve(answer));
      return await fetch("https://issuer.example/document", { method });
    };
    await t.step(method, async () => {
      assert.deepEqual(await (await read(Response.json(document))).json(), expected);
      const { length } = Object.keys(
        await (await read(Response.json(Object.fromEntries(many)))).json(),
      );
      assert.equal(length, 200);
      for (const text of ["<html>", "[1]", "null"]) {
        assert.equal(await (await read(new Response(text))).text(), "");
      }
    });
  }
  const refusal = Response.json(document, { status: 404 });
  const fetch = createAuthFetch(() => Promise.resolve(refusal));
  assert.equal(await (await fetch("https://issuer.example/document")).text(), "");
});
