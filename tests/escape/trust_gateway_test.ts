/** Trust in a project whose gateway runs. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { dump } from "js-yaml";
import { newClient, overHttp } from "../gateway/mcp/clients.ts";
import { send } from "../support/commands.ts";
import { openGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";
import { openPlace, UNTRUSTED } from "./trust_place.ts";

const GREET = "/** Greets. */\nexport function hello(): string { return 'hello'; }\n";

Deno.test("a running gateway keeps its trusted configuration and starts no changed part", async (t) => {
  await using place = await openPlace({ ".onetool/tools/greet/greet_tools.ts": GREET });
  const { home, project } = place;
  const { command, args } = fixture("good");
  const servers = { good: { command, args } };
  await place.write(".onetool/onetool.yaml", dump({ servers }));
  assert.equal((await place.cli(["trust", "--yes"])).code, 0);
  await using gateway = await openGateway({ servers }, { home, project, env: UNTRUSTED });
  await t.step("before", async () => {
    assert.equal((await send(gateway, "greet.hello()")).value, "hello");
    assert.ok((await send(gateway, "good.echo(a=1)")).ok);
  });
  await t.step("an edited pack is not run until it is trusted", async () => {
    await place.write(".onetool/tools/greet/greet_tools.ts", GREET.replace("'hello'", "'bye'"));
    const { error } = await untilChanged(() => send(gateway, "greet.hello()"));
    assert.deepEqual([error?.code, error?.details.reason], ["unavailable", "untrusted"]);
    assert.ok((await send(gateway, "good.echo(a=1)")).ok);
  });
  await t.step("a reload is refused, and says why", async () => {
    await place.write(
      ".onetool/onetool.yaml",
      JSON.stringify({ servers: { ...servers, evil: { command: "touch", args: ["MARK"] } } }),
    );
    const reply = await send(gateway, "ot.reload()");
    assert.match(reply.text, /has changed since it was trusted: toolscript trust/);
    assert.ok((await send(gateway, "good.echo(a=1)")).ok);
    assert.equal(await place.ran(), false);
  });
  await t.step("trust has it take in both", async () => {
    assert.equal((await place.cli(["trust", "--yes"])).code, 0);
    assert.equal((await send(gateway, "greet.hello()")).value, "bye");
  });
  await t.step("revoked trust has no effect, in a gateway of one client neither", async () => {
    const folder = join(home, ".onetool/run");
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    const file = join(folder, names.find((name) => name.endsWith(".json")) ?? "");
    const entry = JSON.parse(Deno.readTextFileSync(file));
    Deno.writeTextFileSync(file, JSON.stringify({ ...entry, shared: false }));
    assert.equal((await place.cli(["trust", "--revoke"])).code, 0);
    const { error } = await send(gateway, "good.echo(a=1)");
    assert.deepEqual([error?.code, error?.details.reason], ["unavailable", "untrusted"]);
  });
});

/** The gateway looks at a file when the system says that it changed. */
async function untilChanged<T extends { ok: boolean }>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    const reply = await send();
    if (!reply.ok) return reply;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

Deno.test("an MCP client is asked once, and a yes goes on with the call", async () => {
  await using place = await openPlace({});
  const { home, project } = place;
  const { command, args } = fixture("good");
  const servers = { good: { command, args } };
  await using gateway = await openGateway({ servers }, { home, project, env: UNTRUSTED });
  const messages: string[] = [];
  const run = async (answer: "yes" | "no", command: string) => {
    const client = newClient("modern", { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", ({ params }) => {
      messages.push(params.message);
      return { action: "accept", content: { trust: answer } };
    });
    await using _connection = await overHttp(gateway, client);
    return await client.callTool({ name: "run", arguments: { command } });
  };
  assert.ok(!(await run("no", "1+1")).isError);
  assert.equal(messages.length, 0);
  assert.ok((await run("no", "good.echo(a=1)")).isError);
  assert.match(
    messages[0] ?? "",
    /server good: .*\nA yes lets it start 1 server good\.\nTrust what this project starts\?$/s,
  );
  assert.ok((await run("yes", "good.echo(a=1)")).isError, "a no is not asked about again");
  assert.equal(messages.length, 1);
  await place.write(
    ".onetool/onetool.yaml",
    JSON.stringify({ servers, alias: { e: "good.echo" } }),
  );
  const allowed = await run("yes", "good.echo(a=1)");
  assert.ok(!allowed.isError, JSON.stringify(allowed));
  assert.equal(messages.length, 2);
  await gateway.close();
  assert.deepEqual(place.trustAnswers(), ["no client", "trust client"]);
});
