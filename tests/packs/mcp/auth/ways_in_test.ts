/** Sign-ins of persons and clients, against an authorization server and a real MCP server. */

import assert from "node:assert/strict";
import { createVerify, generateKeyPairSync } from "node:crypto";
import type { SignInQuestion } from "#packs/auth";
import type { Issuer } from "../../../support/auth/issuer.ts";
import { type GuardedOptions, openGuarded } from "./harness.ts";

const WHOAMI = { value: "ana whoami" };

/** A person who opens the address, and whose browser comes back. */
async function visit({ url }: SignInQuestion, issuer: Issuer): Promise<"accepted"> {
  const response = await fetch(await issuer.consent(url));
  await response.body?.cancel();
  return "accepted";
}

Deno.test("a call that needs a sign-in goes on when it is done, its clock stopped", async () => {
  const answer: GuardedOptions["answer"] = async (question, issuer) => {
    await new Promise((resolve) => setTimeout(resolve, 10_300)); // longer than the call may take
    return await visit(question, issuer);
  };
  await using guarded = await openGuarded({ answer, config: { timeoutMs: 10_000 } });
  assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
  const [question, ...others] = guarded.questions;
  assert.deepEqual(others, []);
  assert.deepEqual([question?.server, question?.account], ["crm", ""]);
  const { searchParams } = new URL(question?.url ?? "");
  assert.equal(searchParams.get("code_challenge_method"), "S256");
  assert.equal(searchParams.get("resource"), guarded.resource.url);
  assert.match(searchParams.get("redirect_uri") ?? "", /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  assert.ok((searchParams.get("state") ?? "").length >= 32);
  assert.equal(guarded.issuer.forms[0]?.get("resource"), guarded.resource.url);
  assert.deepEqual(guarded.issuer.registrations[0]?.redirect_uris, [
    searchParams.get("redirect_uri"),
  ]);
});

Deno.test("many calls that wait ask one question", async () => {
  await using guarded = await openGuarded({ answer: visit });
  const calls = Array.from({ length: 10 }, () => guarded.pack.call("whoami", {}, {}));
  for (const result of await Promise.all(calls)) assert.deepEqual(result, WHOAMI);
  assert.equal(guarded.questions.length, 1);
});

Deno.test("an answer with a wrong state or issuer is dropped, and the right one still waited for", async (t) => {
  const wrongs: Record<string, (parameters: URLSearchParams) => void> = {
    "another state": (parameters) => parameters.set("state", crypto.randomUUID()),
    "no state": (parameters) => parameters.delete("state"),
    "another issuer": (parameters) => parameters.set("iss", "http://127.0.0.1:1"),
    "no issuer, though it always sends one": (parameters) => parameters.delete("iss"),
    "an error in the name of another": (parameters) => {
      parameters.set("state", "x");
      parameters.delete("code");
      parameters.set("error", "access_denied");
    },
  };
  for (const [name, redirect] of Object.entries(wrongs)) {
    await t.step(name, async () => {
      const answer: GuardedOptions["answer"] = async ({ url }, issuer) => {
        issuer.quirks.redirect = redirect;
        const wrong = await fetch(await issuer.consent(url));
        assert.equal(wrong.status, 400);
        assert.match(await wrong.text(), /no sign-in that is waited for/);
        assert.deepEqual(issuer.forms, []);
        issuer.quirks.redirect = undefined;
        return await visit({ server: "crm", account: "", url }, issuer);
      };
      await using guarded = await openGuarded({ answer });
      assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
      assert.equal(guarded.issuer.forms.length, 1);
    });
  }
});

Deno.test("a no is blocked, and a refusal by the server fails", async () => {
  await using guarded = await openGuarded({ answer: () => Promise.resolve("declined") });
  await assert.rejects(guarded.pack.call("whoami", {}, {}), {
    code: "blocked",
    details: { reason: "declined" },
  });
  const answer: GuardedOptions["answer"] = async ({ url }, issuer) => {
    issuer.quirks.redirect = (parameters) => {
      parameters.delete("code");
      parameters.set("error", "access_denied");
    };
    return await visit({ server: "crm", account: "", url }, issuer);
  };
  await using other = await openGuarded({ answer });
  await assert.rejects(other.pack.call("whoami", {}, {}), {
    name: "PackError",
    code: "unavailable",
    message: /^Cannot call "crm.whoami": .+ failed: .*access_denied.*: toolscript auth login crm$/,
  });
});

Deno.test("a sign-in that cannot begin is an error of the call, with the command", async () => {
  await using guarded = await openGuarded({
    quirks: { fields: { registration_endpoint: undefined } },
    answer: () => Promise.resolve("accepted"),
  });
  await assert.rejects(guarded.pack.call("whoami", {}, {}), {
    name: "PackError",
    code: "unavailable",
    message:
      /^Cannot call "crm.whoami": the server "crm" is not available: it wants a sign-in, .+$/,
    details: { reason: "needs_auth", command: "toolscript auth login crm" },
  });
});

Deno.test("where no person can be asked, the error has the command and nothing is registered", async () => {
  await using guarded = await openGuarded();
  await assert.rejects(guarded.pack.call("whoami", {}, {}), {
    code: "unavailable",
    details: { reason: "needs_auth", command: "toolscript auth login crm" },
  });
  assert.equal(guarded.pack.status().state, "needs-auth");
  assert.deepEqual(guarded.issuer.paths, []);
  assert.ok(await guarded.credential(), "the need is known to other processes");
});

Deno.test("a sign-in of another process ends the wait", async () => {
  const answer: GuardedOptions["answer"] = async () => {
    await guarded.signedIn();
    return "accepted";
  };
  await using guarded = await openGuarded({ answer });
  assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
});

Deno.test("the client is the configured one, its document, or registered", async (t) => {
  const document = "https://client.example.com/toolscript.json";
  const rows: readonly [string, GuardedOptions, string | undefined][] = [
    ["client_id", { config: { oauth: { grant: "authorization_code", clientId: "mine" } } }, "mine"],
    [
      "client_id before a document",
      {
        quirks: { fields: { client_id_metadata_document_supported: true } },
        config: {
          oauth: { grant: "authorization_code", clientId: "mine", clientMetadataUrl: document },
        },
      },
      "mine",
    ],
    [
      "a document",
      {
        quirks: { fields: { client_id_metadata_document_supported: true } },
        config: { oauth: { grant: "authorization_code", clientMetadataUrl: document } },
      },
      document,
    ],
    [
      "a document that the server does not read",
      { config: { oauth: { grant: "authorization_code", clientMetadataUrl: document } } },
      "client-1",
    ],
    ["nothing", {}, "client-1"],
  ];
  for (const [name, options, client] of rows) {
    await t.step(name, async () => {
      await using guarded = await openGuarded({ ...options, answer: visit });
      assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
      const { searchParams } = new URL(guarded.questions[0]?.url ?? "");
      assert.equal(searchParams.get("client_id"), client);
      assert.equal(guarded.issuer.registrations.length, client === "client-1" ? 1 : 0);
    });
  }
});

Deno.test("metadata are found at the server, or at the configured address", async (t) => {
  await t.step("an older server", async () => {
    await using guarded = await openGuarded({ answer: visit });
    guarded.resource.hasMetadata = false;
    guarded.issuer.quirks.fields = { issuer: undefined };
    guarded.issuer.quirks.fields = { issuer: new URL(guarded.resource.url).origin };
    guarded.issuer.quirks.redirect = (parameters) =>
      parameters.set("iss", new URL(guarded.resource.url).origin);
    assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
    assert.equal(guarded.issuer.forms[0]?.get("resource"), guarded.resource.url);
  });
  await t.step("metadata_url", async () => {
    const config = { oauth: { grant: "authorization_code" as const, metadataUrl: "" } };
    await using guarded = await openGuarded({ answer: visit, config });
    guarded.resource.hasMetadata = false;
    guarded.issuer.quirks.metadata = () => new Response("no", { status: 404 });
    Object.assign(guarded.target.settings, { metadataUrl: `${guarded.issuer.url}/configured` });
    assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
  });
});

Deno.test("a request for more is a question, tried again once", async (t) => {
  await t.step("granted", async () => {
    await using guarded = await openGuarded({ answer: visit });
    await guarded.signedIn({ scope: "read" });
    assert.deepEqual(await guarded.pack.call("write", {}, {}), { value: "ana write" });
    const { searchParams } = new URL(guarded.questions[0]?.url ?? "");
    assert.deepEqual(searchParams.get("scope")?.split(" ").sort(), ["read", "write"]);
    assert.equal(guarded.questions.length, 1);
  });
  await t.step("not granted", async () => {
    const answer: GuardedOptions["answer"] = async ({ url, ...rest }, issuer) => {
      const less = new URL(url);
      less.searchParams.set("scope", "read");
      return await visit({ ...rest, url: less.href }, issuer);
    };
    await using guarded = await openGuarded({ answer });
    await guarded.signedIn({ scope: "read" });
    await assert.rejects(guarded.pack.call("write", {}, {}), {
      code: "unavailable",
      details: {
        reason: "insufficient_scope",
        scope: "write",
        command: "toolscript auth login crm",
      },
    });
    assert.equal(guarded.questions.length, 1);
  });
  await t.step("granted after other calls asked for more, and a renewal", async () => {
    const answer: GuardedOptions["answer"] = async (question, issuer) => {
      const { store, target } = guarded;
      const before = await store.read(target);
      assert.ok(before);
      const tokens = { ...issuer.grant({ scope: "read" }), at: Date.now(), scope: "read" };
      for (const change of [{}, { tokens }]) {
        await store.write({ ...before, wanted: "write admin", ...change });
        await new Promise((resolve) => setTimeout(resolve, 700)); // it would have been seen
      }
      return await visit(question, issuer);
    };
    await using guarded = await openGuarded({ answer });
    await guarded.signedIn({ scope: "read" });
    assert.deepEqual(await guarded.pack.call("write", {}, {}), { value: "ana write" });
    assert.equal(guarded.questions.length, 1);
  });
  await t.step("granted by a sign-in of another process", async () => {
    const answer: GuardedOptions["answer"] = async () => {
      await guarded.signedIn({ scope: "read write" });
      return "accepted";
    };
    await using guarded = await openGuarded({ answer });
    await guarded.signedIn({ scope: "read" });
    assert.deepEqual(await guarded.pack.call("write", {}, {}), { value: "ana write" });
  });
  await t.step("without a person, the sign-in stays", async () => {
    await using guarded = await openGuarded();
    const { access } = await guarded.signedIn({ scope: "read" });
    await assert.rejects(guarded.pack.call("write", {}, {}), { code: "unavailable" });
    assert.equal((await guarded.credential())?.tokens?.access, access);
    assert.deepEqual(await guarded.pack.call("whoami", {}, {}), WHOAMI);
  });
});

Deno.test("a client signs in by itself, with a secret or a signature", async (t) => {
  await t.step("secret", async () => {
    const oauth = { grant: "client_credentials" as const, clientId: "robot", clientSecret: "hush" };
    await using guarded = await openGuarded({ config: { oauth } });
    assert.deepEqual(await guarded.pack.call("whoami", {}, {}), { value: "robot whoami" });
    assert.equal(
      guarded.issuer.tokenHeaders[0]?.get("authorization"),
      `Basic ${btoa("robot:hush")}`,
    );
    const [token] = guarded.issuer.tokens.values();
    assert.ok(token);
    token.revoked = true;
    assert.deepEqual(await guarded.pack.call("whoami", {}, {}), { value: "robot whoami" });
  });
  await t.step("a configured scope is no less and no more", async () => {
    const oauth = { grant: "client_credentials" as const, clientId: "robot", clientSecret: "hush" };
    await using guarded = await openGuarded({ config: { oauth: { ...oauth, scope: "read" } } });
    const { issuer, pack } = guarded;
    await pack.call("whoami", {}, {});
    await assert.rejects(pack.call("write", {}, {}), { code: "unavailable" });
    for (const token of issuer.tokens.values()) token.revoked = true;
    guarded.resource.scope = "admin";
    await pack.call("whoami", {}, {});
    assert.deepEqual(issuer.forms.map((form) => form.get("scope")), ["read", "read"]);
  });
  await t.step("signature", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
    const oauth = { grant: "client_credentials" as const, clientId: "robot", privateKey: pem };
    await using guarded = await openGuarded({ config: { oauth } });
    assert.deepEqual(await guarded.pack.call("whoami", {}, {}), { value: "signed whoami" });
    const [head, body, signature] = guarded.issuer.forms[0]?.get("client_assertion")?.split(".") ??
      [];
    const verify = createVerify("SHA256").update(`${head}.${body}`);
    const key = { key: publicKey, dsaEncoding: "ieee-p1363" as const };
    assert.ok(verify.verify(key, signature ?? "", "base64url"));
    const claims = JSON.parse(atob(body ?? ""));
    assert.deepEqual([claims.iss, claims.sub], ["robot", "robot"]);
  });
});

Deno.test("two accounts of a server have a sign-in each", async () => {
  const first = { account: { server: "crm", name: "work", isFirst: true } };
  const second = { name: "crm_home", account: { server: "crm", name: "home", isFirst: false } };
  await using work = await openGuarded({ config: first });
  await using home = await openGuarded({
    config: { ...second, url: work.config.url },
    home: work.home,
  });
  await work.signedIn();
  await assert.rejects(home.pack.call("whoami", {}, {}), {
    details: { reason: "needs_auth", command: "toolscript auth login crm --account home" },
  });
  assert.deepEqual(await work.pack.call("whoami", {}, {}), WHOAMI);
});
