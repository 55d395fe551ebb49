/** VAL-32: what must be confirmed, by an MCP client's elicitation. */

import assert from "node:assert/strict";
import { ERAS, newClient, overHttp, overStdio, textOf } from "../gateway/mcp/clients.ts";
import { openGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

const LOOP = 'done = []\nfor (const name of ["a", "b", "c"]) done.push(git.echo({ name }))\ndone';

async function open(security: Record<string, unknown> = {}) {
  const { command, args } = fixture("good");
  const gateway = await openGateway({
    servers: { git: { command, args } },
    direct: ["git.echo"],
    security: { ask: ["git.echo"], ...security },
  });
  await gateway.ready();
  return gateway;
}

/** A client whose person gives these answers, and then refuses. */
function answering(era: (typeof ERAS)[number], answers: readonly string[]) {
  const client = newClient(era, { capabilities: { elicitation: { form: {} } } });
  const questions: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    questions.push(params.message);
    const allow = answers[questions.length - 1];
    return allow === undefined ? { action: "decline" } : { action: "accept", content: { allow } };
  });
  return { client, questions };
}

for (const era of ERAS) {
  Deno.test(`VAL-32 the person behind a ${era} MCP client is asked`, async (t) => {
    await using gateway = await open();
    const call = async (answers: readonly string[], command: string) => {
      const { client, questions } = answering(era, answers);
      await using _connection = await overHttp(gateway, client);
      const result = await client.callTool({ name: "run", arguments: { command } });
      return { questions, text: textOf(result), isError: result.isError === true };
    };

    await t.step("for each call of a loop", async () => {
      const { questions, text } = await call(["call", "call", "call"], LOOP);
      assert.equal(questions.length, 3);
      assert.match(
        String(questions[0]),
        /^Allow a call of git\.echo \(line 2\)\?\n {2}\| "name": "a"$/,
      );
      assert.match(String(questions[1]), /"name": "b"/);
      assert.deepEqual(JSON.parse(text), [{ name: "a" }, { name: "b" }, { name: "c" }]);
    });
    await t.step("once for the run, where that is allowed", async () => {
      const { questions, isError } = await call(["run"], LOOP);
      assert.deepEqual([questions.length, isError], [1, false]);
    });
    await t.step("and can refuse", async () => {
      const before = await call([], LOOP);
      assert.deepEqual([before.questions.length, before.isError], [1, true]);
      assert.match(before.text, /"git\.echo": it was declined/);
      const result = await call([], 'git.echo(a="1")');
      assert.match(result.text, /"git\.echo" at line 1 was declined/);
      const within = await call(["call"], LOOP);
      assert.deepEqual([within.questions.length, within.isError], [2, true]);
      assert.match(within.text, /declined/);
    });
    await t.step("also by a tool that is offered beside run", async () => {
      const { client, questions } = answering(era, ["call"]);
      await using _connection = await overHttp(gateway, client);
      const echo = () => client.callTool({ name: "echo", arguments: { a: 1 } });
      assert.equal(textOf(await echo()), '{"a":1}');
      const refused = await echo();
      assert.equal(refused.isError, true);
      assert.match(textOf(refused), /declined/);
      assert.equal(questions.length, 2);
    });
  });

  Deno.test(`VAL-32 a run of a ${era} MCP client without elicitation is refused`, async () => {
    await using gateway = await open({ page: false });
    for (const capabilities of [{}, { elicitation: { url: {} } }]) {
      await using connection = await overHttp(gateway, newClient(era, { capabilities }));
      const { client } = connection;
      const run = await client.callTool({ name: "run", arguments: { command: LOOP } });
      assert.equal(run.isError, true);
      assert.match(textOf(run), /"git\.echo" at line 2: it needs confirmation[\s\S]*security\.ask/);
      assert.doesNotMatch(textOf(run), /details\.confirm|"confirm"/);
      const direct = await client.callTool({ name: "echo", arguments: {} });
      assert.equal(direct.isError, true);
      assert.match(textOf(direct), /needs confirmation/);
    }
  });

  Deno.test(`VAL-32 a ${era} MCP client is asked through toolscript mcp, too`, async () => {
    await using gateway = await open();
    const { client, questions } = answering(era, ["call", "run"]);
    await using _connection = await overStdio(gateway, client);
    const result = await client.callTool({ name: "run", arguments: { command: LOOP } });
    assert.equal(questions.length, 2, textOf(result));
    assert.equal(result.isError ?? false, false, textOf(result));
  });
}

for (const era of ERAS) {
  Deno.test(`VAL-32 a question that a person at a ${era} client leaves open is a no`, async () => {
    await using gateway = await open({ ask_timeout: 0.3 });
    const client = newClient(era, { capabilities: { elicitation: { form: {} } } });
    const left = Promise.withResolvers<{ action: "cancel" }>();
    client.setRequestHandler("elicitation/create", () => left.promise);
    await using _connection = await overHttp(gateway, client);
    // The library's client of the newer protocol has no limit of its own for its person.
    if (era === "modern") setTimeout(() => left.resolve({ action: "cancel" }), 2_000);
    const run = (command: string) => client.callTool({ name: "run", arguments: { command } });
    const refused = await run(LOOP);
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /"git\.echo": it was declined/);
    // Built at run time, so that it is asked about while the run is under way.
    const command = 'const name = "ec" + "ho";\nlet said = "";\n' +
      'try { await git[name as "echo"]({ a: 1 }) } catch (error) { said = error.message }\n' +
      "`went on: ${said}`";
    const within = await run(command);
    assert.match(textOf(within), /^went on: .*declined/);
    left.resolve({ action: "cancel" });
  });
}
