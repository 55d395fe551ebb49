/** The whole way against a real authorization server, oidc-provider: in, renewed, revoked. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { dump } from "js-yaml";
import { createCredentialStore } from "#packs/auth";
import { startOidc } from "../../../support/auth/oidc.ts";
import { startResource } from "../../../support/auth/resource.ts";
import { cli, cliCommand } from "../../../support/cli.ts";

Deno.test("a sign-in at oidc-provider lives through renewals, and ends", async () => {
  let address = "";
  await using issuer = await startOidc({ resource: () => address });
  await using resource = startResource(issuer);
  address = resource.url;
  const home = await Deno.makeTempDir({ prefix: "toolscript-home-" });
  const cwd = await Deno.makeTempDir({ prefix: "toolscript-project-" });
  await Deno.mkdir(join(cwd, ".onetool"));
  const servers = { crm: { url: address, oauth: { scope: "openid offline_access read" } } };
  await Deno.writeTextFile(join(cwd, ".onetool", "onetool.yaml"), dump({ servers }));
  const place = { home, cwd };

  const login = cliCommand(["auth", "login", "crm", "--no-browser"], place).spawn();
  const reader = login.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const stderr = new Response(login.stderr).text();
  const { value: url = "" } = await reader.read();
  const back = await fetch(await issuer.consent(url.trim()));
  assert.equal(back.status, 200, await back.text());
  assert.equal((await login.status).code, 0, await stderr);
  await reader.cancel();

  const run = async () => JSON.parse((await cli(["run", "--json", "crm.whoami()"], place)).stdout);
  assert.equal((await run()).value, "ana whoami");
  const store = createCredentialStore({ home, log() {} });
  const id = { server: "crm", url: address, account: "" };
  for (let round = 0; round < 2; round++) {
    const before = await store.read(id);
    assert.ok(before?.tokens?.refresh);
    await store.write({ ...before, tokens: { ...before.tokens, at: 0 } });
    const reply = await run();
    assert.equal(reply.value, "ana whoami", JSON.stringify(reply));
    const after = await store.read(id);
    assert.notEqual(after?.tokens?.refresh, before.tokens.refresh);
    assert.notEqual(after?.tokens?.access, before.tokens.access);
  }
  const last = await store.read(id);
  assert.equal((await cli(["auth", "logout", "crm"], place)).code, 0);
  assert.equal(await issuer.tokens.get(last?.tokens?.access ?? ""), undefined);
  assert.equal((await run()).error.details.reason, "needs_auth");
  await Deno.remove(home, { recursive: true });
  await Deno.remove(cwd, { recursive: true });
});
