/** Tokens that are renewed, kept and lost, against an authorization server that misbehaves. */

import assert from "node:assert/strict";
import { authTarget, renew } from "#packs/auth";
import type { HttpServer } from "#packs";
import { LONG_AGO, openGuarded } from "./harness.ts";

const WHOAMI = { value: "ana whoami" };

Deno.test("a stored token is sent, and nothing is asked for", async () => {
  await using guarded = await openGuarded();
  const { access } = await guarded.signedIn();
  assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
  assert.ok(guarded.resource.sent.every((header) => header === `Bearer ${access}`));
  assert.deepEqual(guarded.issuer.paths, []);
});

Deno.test("a token whose time is over is renewed before it is sent", async (t) => {
  for (const rotates of [true, false]) {
    await t.step(rotates ? "rotating" : "not rotating", async () => {
      await using guarded = await openGuarded({ quirks: { rotates } });
      const { access, refresh } = await guarded.signedIn({ at: LONG_AGO });
      assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
      assert.ok(!guarded.resource.sent.includes(`Bearer ${access}`));
      const tokens = (await guarded.credential())?.tokens;
      assert.equal(tokens?.refresh === refresh, !rotates);
      assert.equal(guarded.issuer.forms[0]?.get("resource"), guarded.resource.url);
    });
  }
});

Deno.test("many calls at once renew once", async () => {
  await using guarded = await openGuarded();
  await guarded.signedIn({ at: LONG_AGO });
  const calls = Array.from({ length: 20 }, () => guarded.pack.call("whoami", {}, {}));
  for (const result of await Promise.all(calls)) assert.deepEqual(result, WHOAMI);
  assert.equal(guarded.issuer.redemptions(), 1);
  assert.deepEqual(guarded.issuer.killed, []);
});

Deno.test("a refused token is renewed once for all that were refused with it", async () => {
  await using guarded = await openGuarded();
  const { access } = await guarded.signedIn();
  await guarded.pack.call("whoami", {}, {});
  const token = guarded.issuer.tokens.get(access);
  assert.ok(token);
  token.revoked = true;
  const calls = Array.from({ length: 20 }, () => guarded.pack.call("whoami", {}, {}));
  for (const result of await Promise.all(calls)) assert.deepEqual(result, WHOAMI);
  assert.equal(guarded.issuer.redemptions(), 1);
});

Deno.test("a token without expires_in is used until it is refused", async () => {
  await using guarded = await openGuarded({ quirks: { expiresIn: null } });
  await guarded.signedIn({ at: LONG_AGO });
  await guarded.pack.call("whoami", {}, {});
  const tokens = (await guarded.credential())?.tokens;
  assert.equal(tokens?.lifeMs, undefined);
  await guarded.pack.call("whoami", {}, {});
  assert.equal(guarded.issuer.redemptions(), 1);
  const token = guarded.issuer.tokens.get(tokens?.access ?? "");
  assert.ok(token);
  token.revoked = true;
  assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
  assert.equal(guarded.issuer.redemptions(), 2);
});

Deno.test("odd values of expires_in do no harm", async (t) => {
  for (const expiresIn of ["3600", 0, -5, "soon", 1e300]) {
    await t.step(String(expiresIn), async () => {
      await using guarded = await openGuarded({ quirks: { expiresIn } });
      await guarded.signedIn({ at: LONG_AGO });
      for (let call = 0; call < 3; call++) {
        assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
      }
      assert.equal(guarded.issuer.redemptions(), 1);
    });
  }
});

Deno.test("a clock that went back does not renew", async () => {
  await using guarded = await openGuarded();
  await guarded.signedIn({ at: Date.now() + 7_200_000 });
  assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
  assert.equal(guarded.issuer.redemptions(), 0);
});

Deno.test("a failed renewal keeps everything and is tried again", async (t) => {
  const HTML = "<html>Sorry</html>";
  const failures: Record<string, () => Response> = {
    "HTML": () => new Response(HTML, { headers: { "content-type": "text/html" } }),
    "HTML with status 502": () => new Response(HTML, { status: 502 }),
    "an error with status 200": () => Response.json({ error: "temporarily_unavailable" }),
    "nothing": () => new Response(""),
    "no token": () => Response.json({ token_type: "Bearer", expires_in: 10 }),
    "an access token that is no text": () => Response.json({ access_token: 5 }),
    "status 500": () => Response.json({ error: "server_error" }, { status: 500 }),
    "invalid_client": () => Response.json({ error: "invalid_client" }, { status: 401 }),
    "unauthorized_client": () => Response.json({ error: "unauthorized_client" }, { status: 400 }),
    "a redirect elsewhere": () =>
      new Response(null, { status: 307, headers: { location: "http://127.0.0.1:9/token" } }),
    "an access token of over 16 kB": () => Response.json({ access_token: "x".repeat(16_385) }),
    "a refresh token of over 16 kB": () =>
      Response.json({ access_token: "x", refresh_token: "x".repeat(16_385) }),
    "more than 1 MB": () => Response.json({ access_token: "x".repeat(1_100_000) }),
  };
  for (const [name, answer] of Object.entries(failures)) {
    await t.step(name, async () => {
      await using guarded = await openGuarded({ quirks: { answer } });
      const { access, refresh } = await guarded.signedIn({ at: LONG_AGO });
      const token = guarded.issuer.tokens.get(access);
      assert.ok(token);
      token.revoked = true;
      await assert.rejects(guarded.pack.call("whoami", {}, {}), { code: "unavailable" });
      assert.equal((await guarded.credential())?.tokens?.refresh, refresh);
      assert.deepEqual(guarded.issuer.registrations, []);
      guarded.issuer.quirks.answer = undefined;
      assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
      assert.equal(guarded.issuer.redemptions(), 1);
    });
  }
});

Deno.test("invalid_grant removes the refresh token alone", async () => {
  await using guarded = await openGuarded({
    quirks: { answer: () => Response.json({ error: "invalid_grant" }) },
  });
  const { access } = await guarded.signedIn({ at: LONG_AGO });
  // The access token is still good at the server: the clock of this machine is not asked.
  assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
  const credential = await guarded.credential();
  assert.equal(credential?.tokens?.refresh, undefined);
  assert.equal(credential?.tokens?.access, access);
  assert.ok(credential?.registration);
});

Deno.test("invalid_grant removes nothing where a newer token has been stored", async () => {
  await using guarded = await openGuarded();
  await guarded.signedIn({ at: LONG_AGO });
  const newer = guarded.issuer.grant({});
  guarded.issuer.quirks.answer = async () => {
    const { store, target } = guarded;
    const before = await store.read(target);
    assert.ok(before);
    await store.write({ ...before, tokens: { ...newer, at: Date.now(), lifeMs: 3_600_000 } });
    return Response.json({ error: "invalid_grant" }, { status: 400 });
  };
  assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
  assert.equal((await guarded.credential())?.tokens?.refresh, newer.refresh);
});

Deno.test("a token that cannot be written is not used", async () => {
  await using guarded = await openGuarded();
  await guarded.signedIn({ at: LONG_AGO });
  const before = guarded.resource.sent.length;
  const { write } = guarded.store;
  Object.assign(guarded.store, { write: () => Promise.reject(new Error("Cannot write: full")) });
  await assert.rejects(guarded.pack.call("whoami", {}, {}), { code: "unavailable" });
  // The refresh token is not spent, either.
  assert.equal(guarded.issuer.redemptions(), 0);
  assert.equal(guarded.resource.sent.length, before);
  Object.assign(guarded.store, { write });
  assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
});

Deno.test("a revoked sign-in needs a person, who is told the command", async () => {
  await using guarded = await openGuarded();
  await guarded.signedIn({ at: LONG_AGO });
  guarded.issuer.quirks.answer = () => Response.json({ error: "invalid_grant" }, { status: 400 });
  for (const token of guarded.issuer.tokens.values()) token.revoked = true;
  await assert.rejects(guarded.pack.call("whoami", {}, {}), {
    code: "unavailable",
    details: { reason: "needs_auth", command: "toolscript auth login crm" },
  });
  assert.equal(guarded.pack.status().state, "needs-auth");
  assert.ok((await guarded.credential())?.tokens?.isRefused);
});

Deno.test("another address of the server is another credential", async () => {
  await using guarded = await openGuarded();
  await guarded.signedIn();
  const { store, target } = guarded;
  assert.equal(await store.read({ ...target, url: "http://127.0.0.1:1/mcp" }), undefined);
  assert.equal(await store.read({ ...target, account: "home" }), undefined);
  assert.equal(await store.read({ ...target, server: "other" }), undefined);
  assert.ok(await store.read(target));
});

Deno.test("a client that another configuration names for the server has a credential of its own", async (t) => {
  const secret = { clientId: "robot", clientSecret: "hush-hush" };
  const clients: Record<string, HttpServer["oauth"]> = {
    "one that signs in by itself": { grant: "client_credentials", ...secret },
    "one of persons": { grant: "authorization_code", ...secret },
    "a document": { grant: "device", clientMetadataUrl: "https://client.example.com/c.json" },
    "another authorization server": { grant: "device", metadataUrl: "https://auth.example.com/" },
  };
  for (const [name, oauth] of Object.entries(clients)) {
    await t.step(name, async () => {
      await using guarded = await openGuarded();
      await guarded.signedIn({ at: LONG_AGO });
      const before = await guarded.credential();
      const { store, config } = guarded;
      const other = authTarget({ ...config, oauth });
      assert.ok(other);
      assert.equal(await store.read(other), undefined);
      const deps = { store, fetch, now: Date.now };
      const isOfPerson = oauth?.grant !== "client_credentials";
      assert.equal(await renew(other, undefined, deps), isOfPerson ? "needs_sign_in" : "renewed");
      assert.deepEqual(await guarded.credential(), before);
      assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
    });
  }
});

Deno.test("no byte that was logged or said holds a token", async () => {
  await using guarded = await openGuarded();
  await guarded.signedIn({ at: LONG_AGO });
  const errors: string[] = [];
  guarded.issuer.quirks.answer = (form) =>
    new Response(`<p>${form.get("refresh_token")}</p>`, { status: 500 });
  guarded.resource.answer = (request) =>
    new Response(request.headers.get("authorization"), { status: 401 });
  await guarded.pack.call("whoami", {}, {}).catch((error) => errors.push(everything(error)));
  assert.equal(errors.length, 1);
  const texts = [...guarded.logged, ...errors].join("\n");
  for (const secret of guarded.issuer.secrets) assert.ok(!texts.includes(secret), texts);
});

function everything(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack} ${Deno.inspect(error)} ${everything(error.cause)}`;
}
