/** OT-14: the configuration is loaded anew while the gateway runs. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { dump } from "js-yaml";
import { ERAS, newClient, overHttp, textOf } from "../gateway/mcp/clients.ts";
import { send } from "../support/commands.ts";
import { delay, openGateway, type TestGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";
import { openEvents } from "../support/sse.ts";

/** One of our servers; another environment makes it another server. */
function server(env: Record<string, string> = {}, more: Record<string, unknown> = {}) {
  const { command, args } = fixture("good");
  return { command, args, env, ...more };
}

async function write(gateway: TestGateway, config: unknown, file = "onetool.yaml"): Promise<void> {
  const text = typeof config === "string" ? config : dump(config);
  await Deno.writeTextFile(join(gateway.project, ".onetool", file), text);
}

async function value(gateway: TestGateway, command: string): Promise<unknown> {
  const reply = await send(gateway, command);
  assert.ok(reply.ok, reply.text);
  return reply.value;
}

/** Runs a call of a tool; returns once it is under way. */
async function under(gateway: TestGateway, tool: string) {
  await using events = await openEvents(gateway);
  const reply = send(gateway, `${tool}()`);
  await events.until(({ type, data }) => type === "call" && data.tool === tool);
  return { reply };
}

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 600; tries++) {
    try {
      Deno.kill(pid, "SIGCONT");
    } catch {
      // No such process.
      return true;
    }
    await delay(50);
  }
  return false;
}

Deno.test("OT-14 reload touches what changed and nothing else", async (t) => {
  const kept = server();
  await using gateway = await openGateway({
    servers: { kept, changed: server({ LEVEL: "1" }), removed: server() },
    alias: { who: "kept.pid" },
    snippets: { hi: { body: '"hi"' } },
  });
  await gateway.ready();
  const pidOf = async (name: string) => Number(await value(gateway, `${name}.pid()`));
  const before = {
    kept: await pidOf("kept"),
    changed: await pidOf("changed"),
    removed: await pidOf("removed"),
  };

  await t.step("OT-14 it lists the changes, after the line of the specification", async () => {
    await write(gateway, {
      servers: { kept, changed: server({ LEVEL: "2" }), added: server() },
      alias: { who: "kept.pid", level: "changed.env" },
      snippets: { hi: { body: '"hello"' } },
      projects: { site: "/srv/site" },
      output: { max_inline_size: 900 },
      security: { blocked: ["kept.echo"] },
      gateway: { port: 1 },
    });
    const reply = await send(gateway, "ot.reload()");
    assert.match(reply.text, /^OK: Configuration reloaded\nchanged:\n/);
    assert.deepEqual(reply.value, {
      OK: "Configuration reloaded",
      changed: {
        servers: { added: ["added"], changed: ["changed"], removed: ["removed"] },
        alias: { added: ["level"] },
        snippets: { changed: ["hi"] },
        projects: { added: ["site"] },
        settings: ["security", "output"],
        needs_restart: ["gateway.port"],
      },
    });
  });
  await t.step("OT-14 servers: kept, connected again, ended, started", async () => {
    assert.equal(await pidOf("kept"), before.kept);
    assert.notEqual(await pidOf("changed"), before.changed);
    assert.ok(await pidOf("added") > 0);
    assert.ok(await isGone(before.changed) && await isGone(before.removed));
    const reply = await send(gateway, "removed.pid()");
    assert.match(reply.text, /removed/);
    assert.equal(reply.ok, false);
    const { proxy } = await value(gateway, "ot.health()") as { proxy: { servers: unknown } };
    assert.deepEqual(proxy.servers, {
      kept: "connected",
      changed: "connected",
      added: "connected",
    });
  });
  await t.step("OT-14 names and limits are the new ones", async () => {
    assert.equal(Number(await value(gateway, "who()")), before.kept);
    assert.equal(await value(gateway, "$hi"), "hello");
    assert.equal(await value(gateway, "snippets.hi()"), "hello");
    assert.equal(await value(gateway, 'proj.site / "a"'), "/srv/site/a");
    assert.match((await send(gateway, '"x\\n".repeat(600)')).text, /"handle":/);
    assert.equal((await send(gateway, "kept.echo()")).error?.code, "blocked");
    const types = await (await gateway.fetch("/runtime/types.ts")).text();
    assert.ok(types.includes("added") && !types.includes("removed"), types);
  });
  await t.step("OT-14 a second time there is nothing to do", async () => {
    const { value, text } = await send(gateway, "ot.reload()");
    assert.deepEqual(value, { OK: "Configuration reloaded", changed: {} });
    assert.equal(text, "OK: Configuration reloaded\nchanged: {}");
    assert.equal(await pidOf("kept"), before.kept);
  });
});

Deno.test("OT-14 reload keeps, ends and finds workers", async (t) => {
  await using gateway = await openGateway();
  const file = async (name: string, text: string) => {
    const folder = join(gateway.project, ".onetool", "tools", name);
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(join(folder, `${name}_tools.ts`), text);
  };
  const counter = "let count = 0;\nexport function next(): number {\n  return ++count;\n}\n";
  const changed = async () => {
    return (await value(gateway, "ot.reload()") as { changed: unknown }).changed;
  };
  await t.step("OT-14 files that came are packs", async () => {
    await file("first", counter);
    await file("second", counter);
    await changed(); // they may have been noticed before
    assert.equal(await value(gateway, "first.next()"), 1);
    assert.equal(await value(gateway, "second.next()"), 1);
  });
  await t.step("OT-14 a worker with other settings starts again, the others stay", async () => {
    await write(gateway, { packs: { second: { level: 2 } } });
    assert.deepEqual(await changed(), {
      packs: { added: ["second"] },
      workers: { changed: ["second"] },
    });
    assert.equal(await value(gateway, "first.next()"), 2);
    assert.equal(await value(gateway, "second.next()"), 1);
    const { workers } = await value(gateway, "ot.health()") as { workers: unknown };
    const states = { first: "connected", second: "connected" };
    assert.deepEqual(workers, { status: "ok", worker_count: 2, workers: states });
  });
  await t.step("OT-14 files that went are none", async () => {
    await Deno.remove(join(gateway.project, ".onetool", "tools", "first"), { recursive: true });
    await changed();
    assert.equal((await send(gateway, "first.next()")).ok, false);
    assert.equal(await value(gateway, "second.next()"), 2);
  });
});

Deno.test("OT-14 a wrong configuration changes nothing", async (t) => {
  await using gateway = await openGateway({
    servers: { one: server({ KEY: "none" }) },
    alias: { a: "one.pid" },
  });
  await gateway.ready();
  const pid = await value(gateway, "a()");
  await t.step("OT-14 the error has file and line, and the old configuration stays", async () => {
    await write(gateway, "alias: {b: one.pid}\noutput:\n  preview_lines: many\n");
    const reply = await send(gateway, "ot.reload()");
    assert.equal(reply.error?.code, "tool_error");
    assert.match(
      String(reply.error?.message),
      /^Cannot reload the configuration: \.onetool\/onetool\.yaml:3:18: .*the one before stays in/,
    );
    assert.equal(await value(gateway, "a()"), pid);
  });
  await t.step("OT-14 an error in the secrets shows none", async () => {
    await write(gateway, "KEY: [hunter2\n", "secrets.yaml");
    const reply = await send(gateway, "ot.reload()");
    assert.equal(reply.ok, false);
    assert.ok(!JSON.stringify(reply).includes("hunter2"), reply.text);
  });
  await t.step("OT-14 a changed secret starts its server again", async () => {
    await write(gateway, "KEY: hunter2\n", "secrets.yaml");
    await write(gateway, { servers: { one: server({ KEY: "${secret:KEY}" }) } });
    const reply = await send(gateway, "ot.reload()");
    assert.ok(!JSON.stringify(reply).includes("hunter2"), reply.text);
    assert.deepEqual((reply.value as { changed: unknown }).changed, {
      servers: { changed: ["one"] },
      alias: { removed: ["a"] },
    });
    assert.notEqual(await value(gateway, "one.pid()"), pid);
    assert.ok(!(await send(gateway, "[ot.config(), ot.health()]")).text.includes("hunter2"));
  });
});

Deno.test("OT-14 runs and calls under way go on", async (t) => {
  await using gateway = await openGateway({
    servers: { one: server() },
    gateway: { grace: 1 },
    sandbox: { timeout: 50 },
  });
  await gateway.ready();
  await t.step("OT-14 a run keeps its configuration, and others do not wait", async () => {
    const long = gateway.run(
      'import { tools } from "toolscript";\n' +
        "const first = await tools.one.pid();\n" +
        "await tools.ot.reload();\n" +
        "await new Promise((done) => setTimeout(done, 1_500));\n" +
        "return [first, await tools.one.pid()];",
    );
    await write(gateway, { servers: { one: server() }, sandbox: { timeout: 10 } });
    const [first, second] = (await long).value as unknown[];
    assert.equal(first, second);
    const slow = await send(gateway, "await new Promise((done) => setTimeout(done, 20_000))");
    assert.equal(slow.error?.code, "timeout");
  });
  await t.step("OT-14 a call on a removed server ends as unavailable", async () => {
    await write(gateway, { servers: { one: server() }, sandbox: { timeout: 50 } });
    await send(gateway, "ot.reload()");
    const hanging = await under(gateway, "one.hang");
    await write(gateway, { servers: {} });
    assert.ok((await send(gateway, "ot.reload()")).ok);
    assert.equal(await value(gateway, "1 + 1"), 2);
    const { error } = await hanging.reply;
    assert.equal(error?.code, "tool_error");
    assert.match(String(error?.message), /"one" was ended, because the configuration was loaded/);
    assert.equal(error?.details.code ?? "unavailable", "unavailable");
  });
});

for (const era of ERAS) {
  Deno.test(`OT-14 a ${era} MCP client is notified of changed lists`, async () => {
    const one = server();
    await using gateway = await openGateway({ servers: { one }, direct: ["one.echo"] });
    await gateway.ready();
    const client = newClient(era);
    const methods = new Set<string>();
    for (const kind of ["tools", "resources"] as const) {
      client.setNotificationHandler(`notifications/${kind}/list_changed`, () => {
        methods.add(kind);
      });
    }
    await using _connection = await overHttp(gateway, client);
    if (era === "modern") {
      await client.listen({ toolsListChanged: true, resourcesListChanged: true });
    }
    await write(gateway, { servers: { one }, direct: ["one.echo", "one.pid"] });
    const result = await client.callTool({ name: "run", arguments: { command: "ot.reload()" } });
    assert.match(textOf(result), /^OK: Configuration reloaded/);
    for (let tries = 0; tries < 600 && methods.size < 2; tries++) await delay(50);
    assert.deepEqual([...methods].sort(), ["resources", "tools"]);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(names, ["run", "look", "echo", "pid"]);
  });
}
