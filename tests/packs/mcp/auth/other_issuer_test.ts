/** A server that names another issuer after a sign-in: a configured secret does not follow it. */

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { createCredentialStore, signInAndStore } from "#packs/auth";
import type { OAuthSettings } from "#packs/server";
import { type Issuer, startIssuer } from "../../../support/auth/issuer.ts";
import { startResource } from "../../../support/auth/resource.ts";

interface Prompt {
  readonly url: string;
  readonly code?: string;
  readonly otherIssuer?: string;
}

const GRANTS = ["authorization_code", "device", "client_credentials"] as const;

/** Signs in at the first issuer, then again while the server names the second; resolves with what the
 * second was sent, its host, and the hosts that a person was told of. */
async function signInTwice(settings: OAuthSettings) {
  await using first = startIssuer();
  await using second = startIssuer();
  let current: Issuer = first;
  await using resource = startResource({
    get url() {
      return current.url;
    },
    tokens: { get: (token) => current.tokens.get(token) },
  });
  const home = await Deno.makeTempDir();
  const store = createCredentialStore({ home, log: () => {} });
  const target = {
    server: "crm",
    url: resource.url,
    account: "",
    command: "",
    isConfigured: true,
    settings,
  };
  const hosts: (string | undefined)[] = [];
  const options = {
    signal: AbortSignal.timeout(60_000),
    async show({ url, code, otherIssuer }: Prompt) {
      hosts.push(otherIssuer);
      if (code === undefined) await (await fetch(await current.consent(url))).body?.cancel();
    },
  };
  const deps = { store, fetch, now: Date.now };
  try {
    await signInAndStore(target, options, deps);
    current = second;
    await signInAndStore(target, options, deps);
  } catch (error) {
    assert.match(String(error), /AuthError/);
  }
  await Deno.remove(home, { recursive: true });
  return { forms: second.forms.map(String), host: new URL(second.url).host, hosts };
}

Deno.test("a configured secret goes to the issuer that got it first", async (t) => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  for (const grant of GRANTS) {
    await t.step(`${grant}, a secret`, async () => {
      const settings = { grant, clientId: "robot", clientSecret: "hush-hush" };
      assert.deepEqual((await signInTwice(settings)).forms, []);
    });
  }
  for (const grant of ["authorization_code", "client_credentials"] as const) {
    await t.step(`${grant}, a key`, async () => {
      const settings = { grant, clientId: "robot", privateKey: pem };
      assert.deepEqual((await signInTwice(settings)).forms, []);
    });
  }
  for (const grant of ["authorization_code", "device"] as const) {
    await t.step(`${grant}, without one: the person is told`, async () => {
      const { forms, host, hosts } = await signInTwice({ grant });
      assert.ok(forms.length > 0);
      assert.deepEqual(hosts, [undefined, host]);
    });
  }
});
