/** The examples in the help of built-in tools run as an agent would send them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openGateway } from "../../../support/gateway.ts";

const PACKS = ["data", "text", "db"];

Deno.test("every example of a built-in tool's help runs", async (t) => {
  const connections = { main: { url: "sqlite:data/app.db", write: true } };
  await using gateway = await openGateway({ servers: {}, packs: { db: { connections } } });
  await Deno.mkdir(join(gateway.project, "data"));
  const database = new DatabaseSync(join(gateway.project, "data", "app.db"));
  database.exec("CREATE TABLE people (name TEXT, age INT); INSERT INTO people VALUES ('Ana', 41)");
  database.close();
  const manifest = JSON.stringify({ dependencies: { a: "1.0.0" } });
  await Deno.writeTextFile(join(gateway.project, "package.json"), manifest);
  const run = async (command: string) => {
    const reply = await (await gateway.post("/run", { command, format: "json" })).json();
    assert.equal(reply.ok, true, `${command}: ${reply.text}`);
    return reply.value;
  };
  for (const pack of PACKS) {
    const tools = await run(`ot.tools(pattern="${pack}.", info="full")`) as {
      name: string;
      description: string;
    }[];
    const own = tools.filter(({ name }) => name.startsWith(`${pack}.`));
    assert.ok(own.length > 4, JSON.stringify(tools));
    for (const { name, description } of own) {
      const examples = description.split("\n\nExamples:\n")[1]?.split("\n") ?? [];
      assert.ok(examples.length > 0, `${name} has no example`);
      for (const example of examples) {
        await t.step(example, async () => {
          await run(example);
        });
      }
    }
  }
});
