/** Arguments over which the check by the schema fails reach no tool. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openGateway } from "../support/gateway.ts";

/** Half a character: the library that checks cannot write it into a pointer. */
const HALF = { "\ud800": 1 };

Deno.test("a name of half a character switches no check off", async (t) => {
  await using gateway = await openGateway();
  const tools: { name: string }[] = await (await gateway.fetch("/tools")).json();
  const names = tools.map(({ name }) => name);
  assert.ok(names.length > 50);
  for (const name of names) {
    await t.step(name, async () => {
      const answer = await gateway.post(`/tools/${name.replace(".", "__")}`, HALF);
      assert.equal((await answer.json()).error.code, "invalid_arguments");
    });
  }
});

Deno.test("a name of half a character gives git no command, and data no file", async () => {
  await using gateway = await openGateway();
  const made = join(gateway.home, "made");
  const secret = join(gateway.home, "secret.csv");
  await Deno.writeTextFile(secret, "sesame\n");
  const alias = `alias.x=!touch ${made}`;
  const calls = {
    git__show: { revision: "HEAD", command: ["-c", alias, "x"] },
    data__parse: { text: { path: secret, label: "x", maxBytes: 1e6 }, format: "csv" },
    text__hash: { text: { path: secret, label: "x", maxBytes: 1e6 } },
  };
  for (const [name, args] of Object.entries(calls)) {
    const answer = await gateway.post(`/tools/${name}`, { ...args, ...HALF });
    assert.doesNotMatch(await answer.text(), /"result"|sesame/);
  }
  await assert.rejects(Deno.stat(made), Deno.errors.NotFound);
});

Deno.test("a number that JSON cannot express reaches no tool", async (t) => {
  await using gateway = await openGateway();
  const headers = { "content-type": "application/json" };
  for (const args of ['{"path":"a","limit":1e400}', '{"value":[{"a":-1e999}],"query":"$"}']) {
    await t.step(args, async () => {
      const tool = args.includes("path") ? "file__read" : "data__query";
      const init = { method: "POST", headers, body: args };
      const answer = await (await gateway.fetch(`/tools/${tool}`, init)).json();
      assert.equal(answer.error.code, "bad_request");
      assert.match(answer.error.message, /too large for JSON/);
    });
  }
});

Deno.test("a program's arguments have no more lists and objects than their limit has room for", async () => {
  await using gateway = await openGateway();
  const run = async (value: string) => {
    const command = `data.schema(value=${value})`;
    const answer = await gateway.post("/run", { command });
    return await answer.text();
  };
  assert.doesNotMatch(await run("Array.from({ length: 90_000 }, () => [])"), /too_large|error/);
  assert.doesNotMatch(await run('"[{".repeat(200_000)'), /too_large/);
  assert.match(await run("Array.from({ length: 300_000 }, () => [])"), /more than \d+ lists/);
});
