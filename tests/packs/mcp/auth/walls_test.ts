/** Walls of the sign-in: other origins, networks in clear, and answers without end. */

import assert from "node:assert/strict";
import { createAuthFetch } from "../../../../packs/mcp/auth/auth_fetch.ts";
import { concealIn } from "../../../../packs/mcp/auth/conceal.ts";
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

Deno.test("concealIn() covers a secret that chunks divide, and holds back nothing else", async () => {
  const secret = "aab-secret";
  const text = `x aab-secre ${secret} aaab-secret aab`;
  for (let size = 1; size <= text.length; size++) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => {
      return new TextEncoder().encode(text.slice(at * size, (at + 1) * size));
    });
    const body = ReadableStream.from(chunks);
    const response = concealIn(new Response(body, { headers: { echo: secret } }), secret);
    assert.equal(response.headers.get("echo"), "**********");
    assert.equal(await response.text(), "x aab-secre ********** a********** aab");
  }
  const open = new TransformStream<Uint8Array, Uint8Array>();
  const reader = concealIn(new Response(open.readable), secret).body?.getReader();
  const writer = open.writable.getWriter();
  void writer.write(new TextEncoder().encode("data: 1\n\n"));
  assert.equal(new TextDecoder().decode((await reader?.read())?.value), "data: 1\n\n");
  await reader?.cancel();
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
