/** `GET /questions`, `POST /questions/:id`, and runs that wait for the page. */

import assert from "node:assert/strict";
import { delay, openGateway, type TestGateway } from "../support/gateway.ts";
import { openEvents } from "../support/sse.ts";
import { fixture } from "../support/servers.ts";
import { ERAS, newClient, overHttp, overStdio, textOf } from "./mcp/clients.ts";

const COMMAND = 'git.echo(name="a")';

async function open(security: Record<string, unknown> = {}): Promise<TestGateway> {
  const { command, args } = fixture("good");
  const gateway = await openGateway({
    servers: { git: { command, args } },
    direct: ["git.echo"],
    security: { ask: ["git.echo"], ...security },
  });
  await gateway.ready();
  return gateway;
}

interface Listed {
  readonly id: string;
  readonly run: string | null;
  readonly [key: string]: unknown;
}

async function listed(gateway: TestGateway): Promise<Listed[]> {
  const response = await gateway.fetch("/questions");
  assert.equal(response.status, 200);
  return await response.json();
}

/** Waits until this many questions are open. */
async function questions(gateway: TestGateway, count = 1): Promise<Listed[]> {
  for (;;) {
    const open = await listed(gateway);
    if (open.length === count) return open;
    await delay(10);
  }
}

async function first(gateway: TestGateway): Promise<Listed> {
  const [question] = await questions(gateway);
  assert.ok(question);
  return question;
}

async function answer(gateway: TestGateway, id: string, body: unknown): Promise<number> {
  const response = await gateway.post(`/questions/${id}`, body);
  const text = await response.text();
  if (response.ok) assert.equal(text, '{"ok":true}');
  else assert.match(text, /^\{"error":\{"code":"(bad_request|not_found)"/);
  return response.status;
}

for (const era of ERAS) {
  Deno.test(`a ${era} MCP client without elicitation waits for the page`, async (t) => {
    await using gateway = await open();
    await using connection = await overHttp(gateway, newClient(era));
    const { client } = connection;
    const messages: string[] = [];
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args }, {
        onprogress: ({ message = "" }) => messages.push(message),
      });

    await t.step("with what it would do", async () => {
      const result = call("run", { command: COMMAND });
      const question = await first(gateway);
      const { id, run, asked_at, expires_at, ...rest } = question;
      assert.match(String(run), /^r_/);
      assert.ok(Date.parse(String(expires_at)) - Date.parse(String(asked_at)) === 120_000);
      const args = { name: "a" };
      assert.deepEqual(rest, {
        kind: "call",
        tool: "git.echo",
        arguments: args,
        line: 1,
        because: null,
      });
      while (!messages.some((text) => text.includes(`${gateway.url}/`))) await delay(10);
      assert.equal(await answer(gateway, id, { allow: "call" }), 200);
      assert.deepEqual(JSON.parse(textOf(await result)), args);
    });
    await t.step("and is refused by a no", async () => {
      const result = call("run", { command: COMMAND });
      await answer(gateway, (await first(gateway)).id, { allow: "no" });
      assert.match(textOf(await result), /declined/);
    });
    await t.step("also for a tool beside run", async () => {
      const result = call("echo", { a: 1 });
      const question = await first(gateway);
      assert.equal(question.run, null);
      await answer(gateway, question.id, { allow: "call" });
      assert.equal(textOf(await result), '{"a":1}');
    });
  });

  Deno.test(`a ${era} client's form is taken back when the page answers`, async () => {
    await using gateway = await open();
    for (const connect of era === "legacy" ? [overHttp, overStdio] : [overHttp]) {
      const client = newClient(era, { capabilities: { elicitation: { form: {} } } });
      const form = Promise.withResolvers<void>();
      const left = Promise.withResolvers<{ action: "decline" }>();
      client.setRequestHandler("elicitation/create", (_request, { mcpReq: { signal } }) => {
        form.resolve();
        signal.addEventListener("abort", () => left.resolve({ action: "decline" }));
        return left.promise;
      });
      await using _connection = await connect(gateway, client);
      const result = client.callTool({ name: "run", arguments: { command: COMMAND } });
      await form.promise;
      assert.equal(await answer(gateway, (await first(gateway)).id, { allow: "call" }), 200);
      // A client of the newer protocol has the form until its person is done with it.
      if (era === "modern") left.resolve({ action: "decline" });
      assert.deepEqual(JSON.parse(textOf(await result)), { name: "a" });
    }
  });

  Deno.test(`the answer of a ${era} client takes the question off the page`, async () => {
    await using gateway = await open();
    const client = newClient(era, { capabilities: { elicitation: { form: {} } } });
    let id = "";
    client.setRequestHandler("elicitation/create", async () => {
      id = (await first(gateway)).id;
      return { action: "accept", content: { allow: "call" } };
    });
    await using _connection = await overHttp(gateway, client);
    const result = await client.callTool({ name: "run", arguments: { command: COMMAND } });
    assert.deepEqual(JSON.parse(textOf(result)), { name: "a" });
    assert.deepEqual(await listed(gateway), []);
    assert.equal(await answer(gateway, id, { allow: "no" }), 404);
  });
}

Deno.test("a question that only the page could answer, and did not, says where", async () => {
  await using gateway = await open({ ask_timeout: 0.2 });
  await using connection = await overHttp(gateway, newClient("modern"));
  const { client } = connection;
  for (const command of [COMMAND, 'name = "a"\ngit.echo({ name })']) {
    const result = await client.callTool({ name: "run", arguments: { command } });
    assert.equal(result.isError, true);
    assert.ok(textOf(result).includes(`It can be answered at ${gateway.url}/`), textOf(result));
  }
  const direct = await client.callTool({ name: "echo", arguments: {} });
  assert.ok(textOf(direct).includes(`It can be answered at ${gateway.url}/`), textOf(direct));
});

Deno.test("the questions of ten clients at once are all there", async () => {
  await using gateway = await open();
  await using connection = await overHttp(gateway, newClient("modern"));
  const results = Array.from(
    { length: 10 },
    (_, at) =>
      connection.client.callTool({ name: "run", arguments: { command: `git.echo(name="${at}")` } }),
  );
  const open10 = await questions(gateway, 10);
  for (const { id } of open10.toReversed()) await answer(gateway, id, { allow: "call" });
  const names = (await Promise.all(results)).map((result) => JSON.parse(textOf(result)).name);
  assert.deepEqual(names, Array.from({ length: 10 }, (_, at) => `${at}`));
});

Deno.test("a stream of events hears of an answer from the page", async () => {
  await using gateway = await open();
  const types: string[] = [];
  for await (const event of gateway.stream("", { script: undefined, command: COMMAND })) {
    types.push(event.type);
    if (event.type === "confirm") {
      const { id } = await first(gateway);
      assert.equal(await answer(gateway, id, { allow: "run" }), 200);
    }
    if (event.type === "result") assert.equal(event.ok, true);
  }
  assert.ok(types.indexOf("answered") > types.indexOf("confirm"), types.join());
});

Deno.test("one JSON answer waits for nobody, unless it says so", async () => {
  await using gateway = await open();
  const refused = await gateway.post("/run", { command: COMMAND });
  const { error } = await refused.json();
  assert.deepEqual([refused.status, error.code], [409, "needs_confirmation"]);
  assert.equal(error.details.page, `${gateway.url}/`);
  const waiting = gateway.post("/run", { command: COMMAND, wait: true });
  await answer(gateway, (await first(gateway)).id, { allow: "call" });
  assert.deepEqual((await (await waiting).json()).value, { name: "a" });
});

Deno.test("security.page: false keeps questions off the page", async () => {
  await using gateway = await open({ page: false });
  for await (const event of gateway.stream("", { script: undefined, command: COMMAND })) {
    if (event.type !== "confirm") continue;
    assert.deepEqual(await listed(gateway), []);
    const response = await gateway.post(`/confirm/${event.id}`, { allow: "no" });
    await response.body?.cancel();
  }
  const response = await gateway.post("/run", { command: COMMAND, wait: true });
  assert.equal((await response.json()).error.code, "needs_confirmation");
});

Deno.test("POST /questions/:id refuses what it cannot take", async () => {
  await using gateway = await open();
  assert.equal(await answer(gateway, "q_nothing", { allow: "call" }), 404);
  const waiting = gateway.post("/run", { command: COMMAND, wait: true });
  const { id } = await first(gateway);
  const wrong = [{}, [], null, { allow: "yes" }, { allow: "all" }, { allow: "call", calls: [-1] }];
  for (const body of wrong) {
    assert.equal(await answer(gateway, id, body), 400, JSON.stringify(body));
  }
  const headers = [
    [{ authorization: "Bearer wrong" }, 401],
    [{ origin: "https://evil.example" }, 403],
    [{ "content-type": "text/plain" }, 415],
  ] as const;
  for (const [header, status] of headers) {
    const response = await gateway.post(`/questions/${id}`, { allow: "call" }, header);
    assert.equal(response.status, status, await response.text());
  }
  const got = await gateway.fetch(`/questions/${id}`);
  assert.equal(got.status, 405, await got.text());
  assert.equal(await answer(gateway, id, { allow: "no" }), 200);
  assert.equal((await (await waiting).json()).error.code, "blocked");
});

Deno.test("GET /events tells of questions and answers", async () => {
  await using gateway = await open();
  await using events = await openEvents(gateway);
  const waiting = gateway.post("/run", { command: COMMAND, wait: true });
  const { data: question } = await events.next("question");
  assert.equal(question.tool, "git.echo");
  await answer(gateway, String(question.id), { allow: "call" });
  const { data: answered } = await events.next("answered");
  assert.deepEqual([answered.id, answered.run], [question.id, question.run]);
  assert.deepEqual([answered.allow, (answered.from as { via: string }).via], ["call", "http"]);
  assert.equal((await (await waiting).json()).run, question.run);
});

Deno.test("GET /events tells of no question that the page cannot answer", async () => {
  await using gateway = await open({ page: false });
  await using events = await openEvents(gateway);
  const reply = gateway.stream("", { script: undefined, command: COMMAND });
  for await (const event of reply) {
    if (event.type !== "confirm") continue;
    const response = await gateway.post(`/confirm/${event.id}`, { allow: "no" });
    await response.body?.cancel();
  }
  await events.until(({ type, data }) => type === "run" && data.state !== "started");
  const types = new Set(events.all.map(({ type }) => type));
  assert.ok(!types.has("question") && !types.has("answered"));
});
