/** RUN-58 to 60: text from outside is marked as data where the configuration asks for it. */

import assert from "node:assert/strict";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

const { command, args } = fixture("good");
const SERVERS = { web: { command, args, external: true }, own: { command, args } };
const MARKED = /^<external-content-\w{16,} from="([^"]*)"/;

async function send(gateway: TestGateway, command: string, more: Record<string, unknown> = {}) {
  return await (await gateway.post("/run", { command, ...more })).json();
}

Deno.test("RUN-60 the configuration has replies with text from outside marked", async (t) => {
  await using gateway = await openGateway({
    servers: SERVERS,
    snippets: {
      page: { body: "web.echo(a=1)" },
      both: { body: "({ page: snippets.page({}), n: 1 })" },
      marked: { body: "__sanitize__ = true\n'a'" },
    },
    security: { sanitize: "external" },
  });
  await gateway.ready();
  const rows: { name: string; command: string; from?: string; more?: Record<string, unknown> }[] = [
    { name: "of an external tool", command: "web.echo(a=1)", from: "web.echo" },
    {
      name: "with all tools it may come from",
      command: "({ a: web.echo(a=1), b: own.echo(b=1) })",
      from: "web.echo, own.echo",
    },
    { name: "not of a tool of one's own", command: "own.echo(a=1)" },
    { name: "not without a call", command: "1 + 1" },
    { name: "its errors, too", command: "web.fail()", from: "web.fail" },
    { name: "through a snippet", command: "$page", from: "web.echo" },
    {
      name: "through snippets called by code",
      command: "[snippets.both({}).n]",
      from: "snippets.both",
    },
    { name: "RUN-59 not where the command says so", command: "__sanitize__ = False\nweb.echo()" },
    { name: "not where the caller says so", command: "web.echo()", more: { sanitize: false } },
  ];
  for (const { name, command, from, more } of rows) {
    await t.step(name, async () => {
      const reply = await send(gateway, command, more);
      assert.equal(MARKED.exec(reply.text)?.[1], from, reply.text);
      if (reply.ok) assert.equal("value" in reply, from === undefined);
    });
  }
  await t.step("a program gets the value", async () => {
    const { value } = await send(gateway, "snippets.marked({}) + 'b'");
    assert.equal(value, undefined);
    const script = 'import { tools } from "toolscript"; await tools.web.echo({ a: 1 })';
    assert.deepEqual((await gateway.run(script)).value, { a: 1 });
  });
});

Deno.test("RUN-60 replies are not marked unless the configuration asks for it", async () => {
  await using gateway = await openGateway({ servers: SERVERS });
  await gateway.ready();
  assert.equal((await send(gateway, "web.echo(a=1)")).text, '{"a":1}');
});
