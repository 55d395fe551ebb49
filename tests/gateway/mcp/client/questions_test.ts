import assert from "node:assert/strict";
import { openGateway } from "../../../support/gateway.ts";
import { askingCommand } from "../../../support/servers.ts";
import { ERAS, newClient, overHttp, overStdio } from "../clients.ts";
import { ANA, type Answer, person, run } from "./person.ts";

for (const era of ERAS) {
  for (const protocol of ERAS) {
    Deno.test(`a ${protocol} server asks the ${era} client whose run called it`, async (t) => {
      await using gateway = await openGateway({
        servers: { asking: { ...askingCommand(protocol), effects: { "*": "read" } } },
      });
      const { client, questions } = person(era);
      await using _connection = await overHttp(gateway, client);

      await t.step("elicitation, with the name of the server as its heading", async () => {
        const message = "Name?\nAllow a call of x?";
        const reply = await run(client, `asking.ask(message=${JSON.stringify(message)})`);
        assert.deepEqual(JSON.parse(reply), ANA);
        assert.equal(
          questions[0],
          'The server "asking" asks:\n> Name?\n> Allow a call of x?',
        );
      });
      await t.step("sampling", async () => {
        assert.match(await run(client, "asking.sample()"), /sampled/);
      });
      await t.step("in a look it is told that nobody can be asked", async () => {
        const look = await run(client, "asking.ask()", "look");
        assert.deepEqual(JSON.parse(look), { action: "decline" });
        assert.doesNotMatch(await run(client, "asking.sample()", "look"), /sampled/);
        assert.equal(questions.length, 1);
      });
      await t.step("several calls of one run, one question after the other", async () => {
        const code =
          "const all = await Promise.all(Array.from({ length: 9 }, () => asking.ask())); " +
          "all.map(({ action }) => action)";
        for (let i = 0; i < 3; i++) {
          assert.deepEqual(JSON.parse(await run(client, code)), Array(9).fill("accept"));
        }
        assert.equal(questions.length, 28);
      });
      await t.step("a client without the capability is not asked: a decline at once", async () => {
        await using other = await overHttp(gateway, newClient(era));
        const reply = await run(other.client, "asking.ask()");
        assert.deepEqual(JSON.parse(reply), { action: "decline" });
        assert.doesNotMatch(await run(other.client, "asking.sample()"), /sampled/);
      });
    });
  }

  Deno.test(`a server asks the ${era} client behind toolscript mcp`, async () => {
    await using gateway = await openGateway({ servers: { asking: askingCommand() } });
    const shared = person(era);
    {
      await using _connection = await overStdio(gateway, shared.client);
      assert.deepEqual(JSON.parse(await run(shared.client, "asking.ask()")), ANA);
      assert.match(await run(shared.client, "asking.sample()"), /sampled/);
    }
    await gateway.close();
    const own = person(era);
    await using _connection = await overStdio(gateway, own.client);
    assert.deepEqual(JSON.parse(await run(own.client, "asking.ask()")), ANA);
  });

  Deno.test(`a ${era} client that refuses or fails to answer does not end its run`, async (t) => {
    await using gateway = await openGateway({ servers: { asking: askingCommand() } });
    for (const action of ["decline", "cancel"] as const) {
      await t.step(action, async () => {
        const { client } = person(era, () => ({ action }));
        await using _connection = await overHttp(gateway, client);
        assert.deepEqual(JSON.parse(await run(client, "asking.ask()")), { action });
      });
    }
  });
}

Deno.test("a legacy client keeps its run when its model refuses", async () => {
  await using gateway = await openGateway({ servers: { asking: askingCommand() } });
  const { client } = person("legacy", () => {
    throw new Error("No form today");
  });
  client.setRequestHandler("sampling/createMessage", () => {
    throw new Error("No model today");
  });
  client.setRequestHandler("roots/list", () => {
    throw new Error("No roots today");
  });
  await using _connection = await overHttp(gateway, client);
  assert.match(await run(client, "asking.sample()"), /refused/);
  assert.deepEqual(JSON.parse(await run(client, "asking.ask()")), { action: "cancel" });
  assert.deepEqual(JSON.parse(await run(client, "asking.roots()")), { roots: [] });
});

Deno.test("a question without an answer in time is cancelled, and the run continues", async () => {
  await using gateway = await openGateway({
    servers: { asking: askingCommand() },
    security: { ask_timeout: 0.5 },
    sandbox: { timeout: 20 },
  });
  const open = Promise.withResolvers<Answer>();
  const { client } = person("legacy", () => open.promise);
  await using _connection = await overHttp(gateway, client);
  assert.deepEqual(JSON.parse(await run(client, "asking.ask()")), { action: "cancel" });
  open.resolve(ANA);
});

Deno.test("the time limits of run and server pause during a question", async () => {
  const asking = { ...askingCommand(), timeout: 10 };
  await using gateway = await openGateway({ servers: { asking }, sandbox: { timeout: 10 } });
  await gateway.ready();
  const { client } = person("legacy", async () => {
    await new Promise((resolve) => setTimeout(resolve, 10_500));
    return ANA;
  });
  await using _connection = await overHttp(gateway, client);
  assert.deepEqual(JSON.parse(await run(client, "asking.ask()")), ANA);
});

Deno.test("a call of a snippet asks the client of its run", async () => {
  const snippets = { who: { body: "asking.ask()" } };
  await using gateway = await openGateway({ servers: { asking: askingCommand() }, snippets });
  const { client, questions } = person("modern");
  await using _connection = await overHttp(gateway, client);
  assert.deepEqual(JSON.parse(await run(client, "snippets.who()")), ANA);
  assert.equal(questions.length, 1);
});

Deno.test("questions of a direct tool have the name of the server as heading", async () => {
  for (const protocol of ERAS) {
    const servers = { asking: askingCommand(protocol) };
    await using gateway = await openGateway({ servers, direct: ["asking"] });
    const { client, questions } = person("modern");
    await using _connection = await overHttp(gateway, client);
    await client.callTool({ name: "ask", arguments: { message: "Allow?" } });
    assert.deepEqual(questions, ['The server "asking" asks:\n> Allow?'], protocol);
  }
});

Deno.test("a server with endless questions in its results is stopped", async () => {
  await using gateway = await openGateway({ servers: { asking: askingCommand("modern") } });
  const { client, questions } = person("legacy");
  await using _connection = await overHttp(gateway, client);
  assert.match(await run(client, "asking.endless()"), /asked 100 times/);
  assert.equal(questions.length, 100);
});
