/** `toolscript auth …`: in, out, lent and taken along. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createCredentialStore } from "#packs/auth";
import { cli, cliCommand } from "../../support/cli.ts";
import { openStage, visitAs } from "./stage.ts";

Deno.test("auth login, status, header, logout: a sign-in from its beginning to its end", async () => {
  await using stage = await openStage({ quirks: { expiresIn: 3600 } });
  const [before] = await stage.status();
  assert.deepEqual(before, {
    server: "crm",
    account: null,
    state: "needs_auth",
    scope: null,
    expires_at: null,
    issuer: null,
  });
  assert.equal((await stage.run(["auth", "header", "crm"])).code, 3);

  const { code, stdout, stderr } = await stage.login(["crm", "--no-browser"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+\n$/);
  assert.match(stderr, /Signed in to "crm"/);
  const [row] = await stage.status();
  assert.equal(row?.state, "signed_in");
  assert.equal(row?.issuer, stage.issuer.url);
  assert.match(String(row?.expires_at), /^\d{4}-\d\d-\d\dT.*Z$/);

  const header = await stage.run(["auth", "header", "crm"]);
  assert.equal(header.code, 0);
  const { Authorization } = JSON.parse(header.stdout);
  assert.ok(stage.issuer.tokens.has(Authorization.replace("Bearer ", "")));
  const run = await stage.run(["run", "crm.whoami()"]);
  assert.match(run.stdout, /ana whoami/);
  const stats = await stage.run(["stats", "--json"]);
  assert.match(stats.stdout, /crm\.auth-header/);
  const audit = await stage.run(["audit", "--json"]);
  assert.match(audit.stdout, /"loan"/);

  const out = await stage.run(["auth", "logout", "crm"]);
  assert.equal(out.code, 0, out.stderr);
  assert.ok([...stage.issuer.tokens.values()].every(({ revoked }) => revoked));
  assert.equal((await stage.status())[0]?.state, "needs_auth");
  assert.equal((await stage.run(["auth", "header", "crm"])).code, 3);
  await stage.assertUnseen();
});

Deno.test("auth login opens BROWSER, without a shell", async () => {
  await using stage = await openStage();
  const marks = await Deno.makeTempDir({ prefix: "toolscript-browser-" });
  const file = join(marks, "address");
  const script = join(marks, "browser.sh");
  await Deno.writeTextFile(script, `#!/bin/sh\nprintf '%s' "$1" > "${file}"\n`, { mode: 0o700 });
  const place = { home: stage.home, cwd: stage.project, env: { BROWSER: script } };
  const child = cliCommand(["auth", "login", "crm"], place).spawn();
  const stderr = new Response(child.stderr).text();
  await visitAs(stage.issuer, await written(file));
  assert.equal((await child.status).code, 0, await stderr);
  await child.stdout.cancel();
  await Deno.remove(marks, { recursive: true });
});

Deno.test("auth login --paste takes the right address, after wrong ones", async () => {
  await using stage = await openStage();
  const place = { home: stage.home, cwd: stage.project, stdin: "" };
  const child = cliCommand(["auth", "login", "crm", "--paste"], place).spawn();
  const stderr = new Response(child.stderr).text();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const url = (await reader.read()).value?.trim() ?? "";
  const right = await stage.issuer.consent(url);
  const wrong = new URL(right);
  wrong.searchParams.set("state", "another");
  const writer = child.stdin.getWriter();
  const paste = (text: string) => writer.write(new TextEncoder().encode(`${text}\n`));
  await paste("rubbish");
  await paste(wrong.href);
  await paste(right.replace("/callback", "/callback/x"));
  await paste(right);
  assert.equal((await child.status).code, 0);
  assert.equal(stage.issuer.forms.length, 1);
  assert.equal((await stderr).split("was dropped").length, 4);
  await reader.cancel();
  await writer.close().catch(() => {}); // the program has ended
  const ended = await stage.run(["auth", "login", "crm", "--paste"], { stdin: "nothing\n" });
  assert.equal(ended.code, 1);
});

Deno.test("auth login --device shows address and code", async () => {
  await using stage = await openStage();
  const { code, stdout, stderr } = await stage.run(["auth", "login", "crm", "--device"]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, `${stage.issuer.url}/device\nWDJB-MJHT\n`);
  assert.equal((await stage.status())[0]?.state, "signed_in");
});

Deno.test("auth login names an issuer that is another than before", async () => {
  await using stage = await openStage();
  const { home, resource, issuer } = stage;
  await createCredentialStore({ home, log() {} }).write({
    server: "crm",
    url: resource.url,
    account: "",
    registration: { information: { client_id: "client-1", issuer: "https://before.example" } },
  });
  const { code, stderr } = await stage.login(["crm", "--no-browser"]);
  assert.equal(code, 0, stderr);
  const { host } = new URL(issuer.url);
  assert.ok(stderr.includes(`The server names another issuer than before: ${host}`), stderr);
});

Deno.test("auth login names the host that receives a sign-in where that is another", async (t) => {
  for (const way of ["--no-browser", "--device"]) {
    await t.step(way, async () => {
      await using stage = await openStage();
      const { issuer } = stage;
      const { host, port } = new URL(issuer.url);
      issuer.quirks.fields = {
        authorization_endpoint: `http://localhost:${port}/authorize`,
        token_endpoint: `http://${way === "--device" ? "localhost" : "127.0.0.1"}:${port}/token`,
      };
      const { code, stderr } = way === "--device"
        ? await stage.run(["auth", "login", "crm", way])
        : await stage.login(["crm", way]);
      assert.equal(code, 0, stderr);
      const [at, receiver] = way === "--device"
        ? [host, `localhost:${port}`]
        : [`localhost:${port}`, host];
      assert.ok(stderr.includes(`Sign in at ${at}; ${receiver} receives the sign-in\n`), stderr);
    });
  }
});

Deno.test("auth logout forgets also where the revocation fails, with exit code 1", async () => {
  await using stage = await openStage();
  assert.equal((await stage.login(["crm", "--no-browser"])).code, 0);
  await stage.issuer[Symbol.asyncDispose]();
  assert.equal((await stage.run(["auth", "logout", "crm"])).code, 1);
  assert.equal((await stage.status())[0]?.state, "needs_auth");
});

Deno.test("a sign-in that nothing renews is expired, until the next", async () => {
  await using stage = await openStage();
  const { issuer } = stage;
  assert.equal((await stage.login(["crm", "--no-browser"])).code, 0);
  for (const token of issuer.tokens.values()) token.revoked = true;
  issuer.quirks.answer = (form) =>
    form.get("grant_type") === "refresh_token"
      ? Response.json({ error: "invalid_grant" }, { status: 400 })
      : undefined;
  const { code, stdout } = await stage.run(["run", "--json", "crm.whoami()"]);
  assert.equal(code, 1);
  assert.equal(JSON.parse(stdout).error.details.command, "toolscript auth login crm");
  assert.equal((await stage.status())[0]?.state, "expired");
  assert.equal((await stage.run(["auth", "header", "crm"])).code, 3);
  assert.equal((await stage.login(["crm", "--no-browser"])).code, 0);
  assert.equal((await stage.status())[0]?.state, "signed_in");
  // The client is registered once: its redirect address is used again.
  assert.equal(issuer.registrations.length, 1);
  await stage.assertUnseen();
});

Deno.test("auth export and import carry a sign-in to another home", async () => {
  await using stage = await openStage();
  assert.equal((await stage.login(["crm", "--no-browser"])).code, 0);
  assert.equal((await stage.run(["auth", "export", "crm"])).code, 2);
  const env = { TOOLSCRIPT_PASSPHRASE: "correct horse" };
  const { code, stdout } = await stage.run(["auth", "export", "crm"], { env });
  assert.equal(code, 0);
  assert.match(stdout, /^\S+\n$/);
  const home = await Deno.makeTempDir({ prefix: "toolscript-home-" });
  const there = { home, cwd: stage.project, stdin: stdout };
  assert.equal((await cli(["auth", "import"], there)).code, 2);
  const wrong = { ...there, env: { TOOLSCRIPT_PASSPHRASE: "wrong horse" } };
  assert.equal((await cli(["auth", "import"], wrong)).code, 1);
  assert.equal((await cli(["auth", "import"], { ...there, env })).code, 0);
  const header = await cli(["auth", "header", "crm"], { home, cwd: stage.project });
  assert.equal(header.code, 0);
  await Deno.remove(home, { recursive: true });
  await stage.assertUnseen();
});

Deno.test("accounts are two packs, with a sign-in and a command each", async () => {
  await using stage = await openStage({ server: { accounts: ["work", "home"] } });
  assert.equal((await stage.login(["crm", "--no-browser"])).code, 0);
  const rows = await stage.status();
  assert.deepEqual(rows.map(({ server, account, state }) => [server, account, state]), [
    ["crm", "work", "signed_in"],
    ["crm", "home", "needs_auth"],
  ]);
  const refused = await stage.run(["run", "--json", "crm_home.whoami()"]);
  const { error } = JSON.parse(refused.stdout);
  assert.equal(error.code, "unavailable", JSON.stringify(error));
  assert.equal(error.details.reason, "needs_auth");
  assert.equal(error.details.command, "toolscript auth login crm --account home");
  const visit = (url: string) => visitAs(stage.issuer, url, "bob");
  const login = await stage.login(["crm", "--account", "home", "--no-browser"], visit);
  assert.equal(login.code, 0, login.stderr);
  await stage.run(["run", "crm.whoami()"]);
  const { stdout: types } = await stage.run(["types", "--filter", "crm_home"]);
  assert.match(types, /whoami\(.*\): Promise<WhoamiResult>/, "learned from the first account");
  const both = await stage.run(["run", "--json", "[crm.whoami(), crm_home.whoami()]"]);
  assert.deepEqual(JSON.parse(both.stdout).value, ["ana whoami", "bob whoami"], both.stdout);
  const code = `import { tools } from "toolscript";
    const all: (typeof tools.crm)[] = [tools.crm, tools.crm_home];
    return await Promise.all(all.map((crm) => crm.whoami({})));`;
  const typed = await stage.run(["exec", "-e", code]);
  assert.deepEqual(JSON.parse(typed.stdout), ["ana whoami", "bob whoami"], typed.stderr);
});

Deno.test("auth status has one line for each server, whatever is stored", async () => {
  await using stage = await openStage();
  const store = createCredentialStore({ home: stage.home, log: () => {} });
  await store.write({
    server: "crm",
    url: stage.resource.url,
    account: "",
    tokens: { access: "t", at: 0, lifeMs: 1e303, scope: "read\nforged   signed_in" },
  });
  const { code, stdout } = await stage.run(["auth", "status"]);
  assert.equal(code, 0);
  assert.match(stdout, /^crm +signed_in +read forged signed_in\n$/);
  assert.equal((await stage.status())[0]?.expires_at, null);
});

Deno.test("auth status tells apart what wants no sign-in", async () => {
  await using open = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => Response.json({}),
  );
  const others = {
    open: { url: `http://127.0.0.1:${open.addr.port}/mcp` },
    away: { url: "http://127.0.0.1:9/mcp" },
    local: { command: "true" },
    keyed: { url: "http://127.0.0.1:9/mcp", headers: { Authorization: "Bearer x" } },
    known: { url: "http://127.0.0.1:9/mcp", oauth: { client_id: "abc" } },
  };
  await using stage = await openStage({ others });
  const rows = await stage.status();
  assert.deepEqual(rows.map(({ server, state }) => [server, state]), [
    ["crm", "needs_auth"],
    ["open", "none"],
    ["away", "none"],
    ["known", "needs_auth"],
  ]);
  assert.equal((await stage.run(["auth", "login", "local"])).code, 2);
  assert.equal((await stage.run(["auth", "login", "keyed"])).code, 2);
  assert.equal((await stage.run(["auth", "login", "crn"])).code, 3);
  assert.equal((await stage.run(["auth", "login"])).code, 2);
});

/** Content of a file, once it is there. */
async function written(file: string): Promise<string> {
  for (;;) {
    const text = await Deno.readTextFile(file).catch(() => "");
    if (text !== "") return text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
