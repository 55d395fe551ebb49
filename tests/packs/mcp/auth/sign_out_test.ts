/** Ends of sign-ins, beside renewals. */

import assert from "node:assert/strict";
import { signOut } from "#packs/auth";
import { type Guarded, LONG_AGO, openGuarded } from "./harness.ts";

/** Stores a sign-in whose time is over, at an issuer that revokes; resolves to the access token. */
async function signedInLongAgo({ issuer, store, target, ...guarded }: Guarded): Promise<string> {
  const { access } = await guarded.signedIn({ at: LONG_AGO });
  const metadata = await fetch(`${issuer.url}/.well-known/oauth-authorization-server`);
  const credential = await store.read(target);
  assert.ok(credential);
  await store.write({
    ...credential,
    discovery: {
      authorizationServerUrl: issuer.url,
      authorizationServerMetadata: await metadata.json(),
    },
  });
  return access;
}

Deno.test("a sign-out beside a renewal revokes what the renewal brings", async () => {
  await using guarded = await openGuarded();
  const { issuer, store, target, pack, resource } = guarded;
  const access = await signedInLongAgo(guarded);
  const request = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  issuer.quirks.answer = async () => {
    request.resolve();
    await released.promise;
    return undefined;
  };
  const call = Promise.allSettled([pack.call("whoami", {}, {})]);
  await request.promise;
  const out = signOut(target, { store, fetch });
  released.resolve();
  assert.deepEqual(await out, { isForgotten: true, failure: undefined });
  await call;
  assert.ok(issuer.tokens.size > 1);
  const [, renewed] = [...issuer.tokens.values()];
  assert.equal(renewed?.revoked, true);
  assert.equal((await guarded.credential())?.tokens, undefined);
  assert.ok(!resource.sent.includes(`Bearer ${access}`));
});

Deno.test("a token is not sent after a sign-out in the midst of its renewal", async () => {
  await using guarded = await openGuarded();
  const access = await signedInLongAgo(guarded);
  guarded.issuer.quirks.answer = () => {
    guarded.store.remove(guarded.target);
    return new Response("", { status: 500 });
  };
  await assert.rejects(guarded.pack.call("whoami", {}, {}), { code: "unavailable" });
  assert.ok(!guarded.resource.sent.includes(`Bearer ${access}`));
});

Deno.test("signOut() forgets a sign-in that another process holds, and tells", async () => {
  await using guarded = await openGuarded();
  await guarded.signedIn();
  const { store, target } = guarded;
  const held = { ...store, lock: () => Promise.resolve(undefined) };
  const { isForgotten, failure } = await signOut(target, { store: held, fetch });
  assert.ok(isForgotten && failure instanceof Error);
  assert.equal(await guarded.credential(), undefined);
});
