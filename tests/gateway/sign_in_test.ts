/** Calls of runs that wait for a sign-in: asked through the client, on the page, or refused. */

import assert from "node:assert/strict";
import { startIssuer } from "../support/auth/issuer.ts";
import { startResource } from "../support/auth/resource.ts";
import { delay, openGateway, type TestGateway } from "../support/gateway.ts";
import { openSession } from "./page/browser_session.ts";
import { ERAS, newClient, overHttp, textOf } from "./mcp/clients.ts";

const COMMAND = "crm.whoami()";
const SCRIPT = 'import { tools } from "toolscript"; return await tools.crm.whoami({});';

async function open(config: Record<string, unknown> = {}) {
  const issuer = startIssuer();
  const resource = startResource(issuer);
  const gateway = await openGateway({ servers: { crm: { url: resource.url } }, ...config });
  await gateway.ready();
  return {
    issuer,
    resource,
    gateway,
    async visit(url: unknown) {
      const response = await fetch(await issuer.consent(String(url)));
      await response.body?.cancel();
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await resource[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
    },
  };
}

interface Listed {
  readonly id: string;
  readonly [key: string]: unknown;
}

/** The one question that is open, once it is. */
async function question(gateway: TestGateway): Promise<Listed> {
  for (;;) {
    const [first, ...others] = await (await gateway.fetch("/questions")).json();
    assert.deepEqual(others, []);
    if (first) return first;
    await delay(10);
  }
}

async function stateOf(gateway: TestGateway): Promise<string> {
  const { servers } = await (await gateway.fetch("/status")).json();
  return servers.crm.status;
}

async function replyOf(
  gateway: TestGateway,
  options: Record<string, unknown>,
): Promise<Readonly<Record<string, unknown>>> {
  for await (const event of gateway.stream(SCRIPT, options)) {
    if (event.type === "result") return event;
  }
  throw new Error("The run has no result");
}

for (const era of ERAS) {
  Deno.test(`a ${era} client with URL elicitation is asked, and its call goes on`, async () => {
    await using stage = await open();
    const { gateway, visit } = stage;
    assert.equal(await stateOf(gateway), "needs-auth");
    const client = newClient(era, { capabilities: { elicitation: { form: {}, url: {} } } });
    const messages: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      assert.equal(params.mode, "url");
      messages.push(params.message);
      void visit("url" in params ? params.url : "");
      return { action: "accept" };
    });
    await using _connection = await overHttp(gateway, client);
    const result = await client.callTool({ name: "run", arguments: { command: COMMAND } });
    assert.equal(textOf(result), "ana whoami");
    assert.deepEqual(messages, ['The server "crm" wants a sign-in: open the address']);
    assert.equal(await stateOf(gateway), "connected");
  });

  Deno.test(`a ${era} client without it waits for the page`, async (t) => {
    await using stage = await open();
    const { gateway, visit } = stage;
    await using connection = await overHttp(gateway, newClient(era));
    const call = () => connection.client.callTool({ name: "run", arguments: { command: COMMAND } });
    await t.step("and is refused by a no", async () => {
      const result = call();
      const { id } = await question(gateway);
      assert.equal((await gateway.post(`/questions/${id}`, { allow: "call" })).status, 400);
      assert.equal((await gateway.post(`/questions/${id}`, { allow: "no" })).status, 200);
      assert.match(textOf(await result), /the sign-in was declined/);
    });
    await t.step("and goes on after the sign-in", async () => {
      const result = call();
      const { kind, server, url, run } = await question(gateway);
      assert.deepEqual([kind, server], ["sign_in", "crm"]);
      assert.match(String(run), /^r_/);
      await visit(url);
      assert.equal(textOf(await result), "ana whoami");
    });
  });
}

Deno.test("a look asks nobody to sign in", async () => {
  await using stage = await open();
  const { gateway } = stage;
  const client = newClient("modern", { capabilities: { elicitation: { form: {}, url: {} } } });
  client.setRequestHandler("elicitation/create", () => ({ action: "accept" }));
  for (const each of [client, newClient("legacy")]) {
    await using connection = await overHttp(gateway, each);
    const result = connection.client.callTool({ name: "look", arguments: { command: COMMAND } });
    assert.match(textOf(await result), /it wants a sign-in: toolscript auth login crm/);
  }
});

Deno.test("a run that nobody can sign in for fails with the command", async () => {
  await using stage = await open();
  const { gateway } = stage;
  const reply = await gateway.run(SCRIPT);
  assert.equal(reply.ok, false);
  assert.equal(reply.error?.code, "unavailable");
  assert.deepEqual(reply.error?.details, {
    reason: "needs_auth",
    command: "toolscript auth login crm",
  });
  assert.deepEqual(await (await gateway.fetch("/questions")).json(), []);
});

Deno.test("a sign-in that is lost later is asked for in the midst of a run, its clock stopped", async () => {
  await using stage = await open();
  const { gateway, issuer, visit } = stage;
  const first = replyOf(gateway, { wait: true });
  await visit((await question(gateway)).url);
  assert.equal((await first).value, "ana whoami");
  for (const token of issuer.tokens.values()) token.revoked = true;
  issuer.quirks.answer = (form) =>
    form.get("grant_type") === "refresh_token"
      ? Response.json({ error: "invalid_grant" }, { status: 400 })
      : undefined;
  const unasked = await gateway.run(SCRIPT);
  assert.equal(unasked.error?.code, "unavailable", JSON.stringify(unasked.error));
  assert.equal(unasked.error?.details.reason, "needs_auth");
  const second = replyOf(gateway, { wait: true, timeout: 10 });
  const { url } = await question(gateway);
  await delay(10_500); // longer than the run may take
  await visit(url);
  const { value, error } = await second;
  assert.equal(value, "ana whoami", JSON.stringify(error));
});

Deno.test("a sign-in by the command line connects the gateway without a call", async () => {
  await using stage = await open();
  const { gateway, issuer, resource } = stage;
  const { createCredentialStore } = await import("#packs/auth");
  const { access, refresh } = issuer.grant({});
  const store = createCredentialStore({ home: gateway.home, log() {} });
  await store.write({
    server: "crm",
    url: resource.url,
    account: "",
    registration: { information: { client_id: "client-1", issuer: issuer.url } },
    tokens: { access, refresh, at: Date.now() },
  });
  while (await stateOf(gateway) !== "connected") await delay(20);
});

/** Messages that a client gets, which declines each sign-in. */
async function messagesOf(gateway: TestGateway): Promise<string[]> {
  const client = newClient("modern", { capabilities: { elicitation: { url: {} } } });
  const messages: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    messages.push(params.message);
    return { action: "decline" };
  });
  await using _connection = await overHttp(gateway, client);
  await client.callTool({ name: "run", arguments: { command: COMMAND } });
  return messages;
}

Deno.test("a question names an issuer that is another than before", async (t) => {
  await using stage = await open();
  const { gateway, issuer, resource } = stage;
  const { host } = new URL(issuer.url);
  const { createCredentialStore } = await import("#packs/auth");
  await createCredentialStore({ home: gateway.home, log() {} }).write({
    server: "crm",
    url: resource.url,
    account: "",
    registration: { information: { client_id: "client-1", issuer: "https://before.example" } },
  });
  await t.step("to a client", async () => {
    assert.deepEqual(await messagesOf(gateway), [
      `The server "crm" wants a sign-in, at another issuer than before (${host}): open the address`,
    ]);
  });
  await t.step("on the page", async () => {
    await using connection = await overHttp(gateway, newClient("modern"));
    const { client } = connection;
    const result = client.callTool({ name: "run", arguments: { command: COMMAND } });
    const { id, because } = await question(gateway);
    assert.equal(because, `Another issuer than before: ${host}`);
    await gateway.post(`/questions/${id}`, { allow: "no" });
    await result;
  });
  await t.step("before the page leads there", async () => {
    const browser = await openSession(gateway);
    const response = await browser.submit("/page/servers/crm/sign-in");
    assert.equal(response.status, 200);
    assert.ok((await response.text()).includes(`another issuer than before: ${host}`));
  });
});

Deno.test("a question on the page names hosts of a sign-in whole, however long they are", async () => {
  await using stage = await open();
  const { gateway, issuer } = stage;
  const [at, receiver] = ["a", "b"].map((letter) => `${`${letter.repeat(60)}.`.repeat(4)}example`);
  issuer.quirks.fields = {
    authorization_endpoint: `https://${at}/authorize`,
    token_endpoint: `https://${receiver}/token`,
  };
  await using connection = await overHttp(gateway, newClient("modern"));
  const result = connection.client.callTool({ name: "run", arguments: { command: COMMAND } });
  const { id, because } = await question(gateway);
  const own = new URL(stage.resource.url).host;
  assert.equal(because, `Sign in at ${at}; ${receiver} and ${own} receive the sign-in`);
  const browser = await openSession(gateway);
  assert.ok((await (await browser.fetch("/")).text()).includes(because ?? ""));
  await gateway.post(`/questions/${id}`, { allow: "no" });
  await result;
});

Deno.test("a question names the host that receives a sign-in where that is another", async (t) => {
  await using stage = await open();
  const { gateway, issuer } = stage;
  const { host, port } = new URL(issuer.url);
  issuer.quirks.fields = { authorization_endpoint: `http://localhost:${port}/authorize` };
  const text = `Sign in at localhost:${port}; ${host} receives the sign-in`;
  await t.step("to a client", async () => {
    assert.deepEqual(await messagesOf(gateway), [
      `The server "crm" wants a sign-in: open the address. ${text}`,
    ]);
  });
  await t.step("on the page", async () => {
    await using connection = await overHttp(gateway, newClient("modern"));
    const { client } = connection;
    const result = client.callTool({ name: "run", arguments: { command: COMMAND } });
    const { id, because } = await question(gateway);
    assert.equal(because, text);
    const browser = await openSession(gateway);
    assert.ok((await (await browser.fetch("/")).text()).includes(text));
    await gateway.post(`/questions/${id}`, { allow: "no" });
    await result;
  });
  await t.step("before the page leads there", async () => {
    const browser = await openSession(gateway);
    const response = await browser.submit("/page/servers/crm/sign-in");
    assert.equal(response.status, 200);
    assert.ok((await response.text()).includes(text));
  });
});
