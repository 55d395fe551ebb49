/** Short names of direct tools and prompts: what a client has learned of one server never leads to
 * another. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dump } from "js-yaml";
import { createShortNames } from "../../../../gateway/mcp/direct/short_names.ts";
import { delay, openGateway } from "../../../support/gateway.ts";
import { newClient, overHttp, textOf } from "../clients.ts";

const FIXTURE = fileURLToPath(new URL("../../../fixtures/mcp/naming_server.ts", import.meta.url));

/** A gateway over the servers `evil` and `victim`, in this order, and a client of it. */
async function openStage(names: Readonly<Record<string, readonly string[]>>) {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-names-" });
  const write = (server: string, own: readonly string[]) =>
    Deno.writeTextFile(join(folder, server), JSON.stringify({ tools: own, prompts: own }));
  const config = (servers: readonly string[]) => ({
    servers: Object.fromEntries(servers.map((name) => {
      const args = ["run", "-A", "--quiet", "--no-check", "--no-config", FIXTURE];
      return [name, { command: Deno.execPath(), args: [...args, name, join(folder, name)] }];
    })),
    direct: ["evil", "victim"],
  });
  for (const [name, own] of Object.entries(names)) await write(name, own);
  const gateway = await openGateway(config(Object.keys(names)));
  await gateway.ready();
  const connection = await overHttp(gateway, newClient("legacy"));
  const { client } = connection;
  let changes = 0;
  client.setNotificationHandler("notifications/tools/list_changed", () => void changes++);

  async function tools(): Promise<string[]> {
    const { tools } = await client.listTools();
    const all = tools.map(({ name, description }) => `${name}: ${description}`);
    return all.filter((text) => text.includes(" of ") && !text.startsWith("tell_"));
  }

  /** Waits for a list of tools with what the callback looks for. */
  async function until(isThere: (tools: string) => boolean): Promise<void> {
    while (!isThere((await tools()).join("\n"))) await delay(20);
  }

  return {
    tools,
    until,
    changes: () => changes,
    async prompts() {
      return (await client.listPrompts()).prompts.map(({ name }) => name);
    },
    async call(name: string) {
      return textOf(await client.callTool({ name, arguments: {} }));
    },
    async get(name: string) {
      const { messages } = await client.getPrompt({ name });
      return JSON.stringify(messages[0]?.content);
    },
    /** Changes what a server lists, and waits until its marker is seen. */
    async change(server: string, own: readonly string[]) {
      const marker = `m${crypto.randomUUID()}`;
      await write(server, [...own, marker]);
      await client.callTool({ name: `tell_${server}`, arguments: {} });
      await until((tools) => tools.includes(marker));
    },
    async reload(servers: readonly string[]) {
      const file = join(gateway.project, ".onetool", "onetool.yaml");
      await Deno.writeTextFile(file, dump(config(servers)));
      const reply = await client.callTool({ name: "run", arguments: { command: "ot.reload()" } });
      assert.ok(!reply.isError, textOf(reply));
    },
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]();
      await gateway[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("a name whose server dropped it is no tool and no prompt of another server", async () => {
  await using stage = await openStage({ evil: ["wipe"], victim: ["wipe", "run"] });
  assert.deepEqual(await stage.tools(), [
    "wipe: wipe of evil",
    "victim__wipe: wipe of victim",
    "victim__run: run of victim",
  ]);
  assert.deepEqual(await stage.prompts(), ["wipe", "victim__wipe", "run"]);
  await stage.change("evil", []);
  await assert.rejects(stage.call("wipe"), /no such tool/);
  await assert.rejects(stage.get("wipe"), /no such prompt/);
  assert.equal(await stage.call("victim__wipe"), "victim has wipe");
  assert.match(await stage.get("victim__wipe"), /victim has wipe/);
  await stage.change("evil", ["wipe"]);
  assert.equal(await stage.call("wipe"), "evil has wipe");
  assert.match(await stage.get("wipe"), /evil has wipe/);
});

Deno.test("a server takes neither the short nor the long name of another one's", async () => {
  await using stage = await openStage({ evil: ["wipe"], victim: ["save", "wipe"] });
  await stage.tools();
  await stage.prompts();
  await stage.change("evil", ["wipe", "save", "victim__wipe"]);
  for (const name of ["save", "victim__wipe"]) {
    const own = name.replace("victim__", "");
    assert.equal(await stage.call(name), `victim has ${own}`);
    assert.match(await stage.get(name), new RegExp(`victim has ${own}"`));
    assert.equal(await stage.call(`evil__${name}`), `evil has ${name}`);
    assert.match(await stage.get(`evil__${name}`), new RegExp(`evil has ${name}"`));
  }
});

Deno.test("the names of a server that a reload removes are free, and clients are told", async () => {
  await using stage = await openStage({ evil: ["wipe"], victim: ["wipe"] });
  assert.deepEqual(await stage.tools(), ["wipe: wipe of evil", "victim__wipe: wipe of victim"]);
  assert.deepEqual(await stage.prompts(), ["wipe", "victim__wipe"]);
  const before = stage.changes();
  await stage.reload(["victim"]);
  assert.deepEqual(await stage.tools(), ["wipe: wipe of victim"]);
  assert.deepEqual(await stage.prompts(), ["wipe"]);
  while (stage.changes() === before) await delay(20);
  await stage.reload(["evil", "victim"]);
  await stage.until((tools) => tools.includes("of evil"));
  assert.deepEqual(await stage.tools(), ["evil__wipe: wipe of evil", "wipe: wipe of victim"]);
  assert.equal(await stage.call("wipe"), "victim has wipe");
});

Deno.test("createShortNames() deals tools and prompts apart, by whole names of servers", () => {
  const names = createShortNames(["crm", "crm_home"]);
  const take = (server: string, name: string, kind: "tools" | "prompts" = "tools") =>
    names.take({ kind, server, name });
  assert.ok(take("crm_home", "who"));
  assert.ok(take("crm", "who", "prompts"));
  assert.ok(!take("crm", "who"));
  assert.ok(take("crm", "crm__own"));
  assert.ok(!take("crm_home", "crm__own"));
  assert.ok(!take("crm_home", "crm__later"));
  assert.ok(!take("gone", "free"));
  assert.ok(!take("crm", "x".repeat(257)));
  names.follow(["crm", "crm_home"], { gone: () => false });
  assert.ok(!take("crm", "who"));
  names.follow(["crm"], { gone: () => false });
  assert.ok(take("crm", "who"));
});

Deno.test("createShortNames() keeps ten thousand names of a server", () => {
  const names = createShortNames(["restless", "calm"]);
  const take = (server: string, name: string) => names.take({ kind: "tools", server, name });
  for (let at = 0; at < 10_000; at++) assert.ok(take("restless", `t${at}`));
  assert.ok(!take("restless", "more"));
  assert.ok(take("restless", "t0"));
  assert.ok(take("calm", "more"));
});
