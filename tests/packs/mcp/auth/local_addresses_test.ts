/** Addresses of this machine, named by a server elsewhere: no request of a sign-in reaches them. */

import assert from "node:assert/strict";
import { createCredentialStore, signInAndStore, signOut } from "#packs/auth";
import type { OAuthSettings } from "#packs/server";
import type { Fetch } from "../../../../packs/mcp/connect/plain_fetch.ts";
import { checkAddress } from "../../../../packs/mcp/auth/auth_fetch.ts";
import { renew } from "../../../../packs/mcp/auth/renewal/renew.ts";

const HOST = "https://crm.example.com";

/** A program of this machine that should be reached by nobody, and what reached it. */
function startLocal() {
  const requests: string[] = [];
  const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
  const server = Deno.serve(options, (request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
    return Response.json({});
  });
  return {
    port: server.addr.port,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Addresses of this machine in its networks. */
function ownAddresses(): string[] {
  const own = Deno.networkInterfaces().filter(({ family }) => family === "IPv4");
  return own.map(({ address }) => address).filter((address) => !address.startsWith("127."));
}

/** A server elsewhere that answers by its paths; other addresses are real. */
function elsewhere(answers: Record<string, unknown>, reached?: string[]): Fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== HOST) {
      reached?.push(url.href);
      return await fetch(input, init);
    }
    const answer = answers[url.pathname];
    return answer === undefined ? new Response("", { status: 404 }) : Response.json(answer);
  };
}

const RESOURCE = "/.well-known/oauth-protected-resource/mcp";
const ISSUER = "/.well-known/oauth-authorization-server";

function metadata(changes: Record<string, unknown> = {}) {
  return {
    issuer: HOST,
    authorization_endpoint: `${HOST}/authorize`,
    token_endpoint: `${HOST}/token`,
    device_authorization_endpoint: `${HOST}/device`,
    registration_endpoint: `${HOST}/register`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    ...changes,
  };
}

function targetOf(settings: Partial<OAuthSettings> = {}) {
  return {
    server: "crm",
    url: `${HOST}/mcp`,
    account: "",
    command: "",
    isConfigured: true,
    settings: { grant: "authorization_code" as const, ...settings },
  };
}

Deno.test("a server elsewhere leads no request of a sign-in to this machine", async (t) => {
  await using local = startLocal();
  const names = ["127.0.0.1", "localhost", "[::1]", "x.localhost", "localhost."];
  const others = [
    "0.0.0.0",
    "0.1.2.3",
    "127.1",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:0.0.0.0]",
    "[::ffff:0:127.0.0.1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::]",
    "[64:ff9b:1:0:0:0:7f00:1]",
    "[2002:7f00:1::]",
    Deno.hostname(),
    ...ownAddresses(),
  ];
  for (
    const at of [
      ...names.map((name) => `http://${name}:${local.port}`),
      ...[...names, ...others].map((name) => `https://${name}:${local.port}`),
    ]
  ) {
    const rows: Record<string, Record<string, unknown>> = {
      "its issuer": { [RESOURCE]: { resource: `${HOST}/mcp`, authorization_servers: [at] } },
      "its registration": { [ISSUER]: metadata({ registration_endpoint: `${at}/admin` }) },
      "its tokens": { [ISSUER]: metadata({ token_endpoint: `${at}/admin` }) },
      "its page": { [ISSUER]: metadata({ authorization_endpoint: `${at}/admin` }) },
    };
    for (const [name, answers] of Object.entries(rows)) {
      for (const grant of ["authorization_code", "device", "client_credentials"] as const) {
        await t.step(`${name}, ${at}, ${grant}`, async () => {
          const home = await Deno.makeTempDir();
          const store = createCredentialStore({ home, log: () => {} });
          const target = targetOf({ grant, clientId: "a", clientSecret: "b" });
          const show = () => assert.fail("an address was shown");
          const signal = AbortSignal.timeout(60_000);
          const reached: string[] = [];
          const deps = { store, fetch: elsewhere(answers, reached), now: Date.now };
          await assert.rejects(signInAndStore(target, { show, signal }, deps));
          assert.deepEqual(reached, []);
          assert.deepEqual(local.requests, []);
          await Deno.remove(home, { recursive: true });
        });
      }
    }
  }
});

Deno.test("nor does a refusal, a renewal or the end of a sign-in", async () => {
  await using local = startLocal();
  const at = `http://127.0.0.1:${local.port}`;
  const home = await Deno.makeTempDir();
  const store = createCredentialStore({ home, log: () => {} });
  const target = targetOf({ clientId: "a" });
  const answers = { [ISSUER]: metadata() };
  const deps = { store, fetch: elsewhere(answers), now: Date.now };
  const id = { server: target.server, url: target.url, account: "" };
  await store.write({ ...id, resourceMetadataUrl: `${at}/metadata` });
  const signal = AbortSignal.timeout(60_000);
  await assert.rejects(signInAndStore(target, { show: () => assert.fail(), signal }, deps));
  await store.write({
    ...id,
    discovery: {
      authorizationServerUrl: at,
      authorizationServerMetadata: metadata({
        token_endpoint: `${at}/token`,
        revocation_endpoint: `${at}/revoke`,
      }) as never,
    },
    registration: { information: { client_id: "a", issuer: HOST } },
    tokens: { access: "x", refresh: "y", at: 0, lifeMs: 1 },
  });
  await assert.rejects(renew(target, undefined, deps), { name: "AuthError" });
  assert.ok((await signOut(target, deps)).failure instanceof Error);
  assert.deepEqual(local.requests, []);
  await Deno.remove(home, { recursive: true });
});

Deno.test("metadata that the configuration names may lie on this machine", async () => {
  await using local = startLocal();
  const home = await Deno.makeTempDir();
  const store = createCredentialStore({ home, log: () => {} });
  const target = targetOf({ clientId: "a", metadataUrl: `http://127.0.0.1:${local.port}/own` });
  const signal = AbortSignal.timeout(60_000);
  const deps = { store, fetch: elsewhere({}), now: Date.now };
  await assert.rejects(signInAndStore(target, { show: () => {}, signal }, deps));
  assert.deepEqual(local.requests, ["GET /own"]);
  await Deno.remove(home, { recursive: true });
});

Deno.test("checkAddress() takes other machines, and hosts that a person has written", async () => {
  const far = ["192.0.2.1", "[2001:db8::1]", "[64:ff9b::c000:201]", "[2002:c000:201::]"];
  for (const host of [...far, "crm.example.com"]) {
    await checkAddress(new URL(`https://${host}/token`), { target: targetOf() });
  }
  const here = new URL(`https://${Deno.hostname()}:1/token`);
  await assert.rejects(checkAddress(here, { target: targetOf() }), {
    name: "AuthError",
    message: /oauth\.metadata_url/,
  });
  for (const own of [here.href, "http://localhost/mcp", "https://0.0.0.0/mcp"]) {
    await checkAddress(here, { target: targetOf({ metadataUrl: own }) });
    await checkAddress(here, { target: { ...targetOf(), url: own } });
  }
});

Deno.test("a name that is not found in time is no address", async () => {
  const signal = AbortSignal.abort(new Error("late"));
  const url = new URL("https://slow.example.com/token");
  await assert.rejects(checkAddress(url, { target: targetOf(), signal }), { message: "late" });
});
