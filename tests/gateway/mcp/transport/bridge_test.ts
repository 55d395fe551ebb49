/** Bridge of the npm package between a client and its gateway, in Node alone. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { lockFile } from "#files";
import { findGateways, openRunFolder } from "#gateway/running";
import { delay } from "../../../support/gateway.ts";
import { pinnedCommand } from "../../../support/servers.ts";
import { openStage } from "../bridge_stage.ts";
import { ERAS, newClient, textOf, WAYS } from "../clients.ts";

for (const way of WAYS) {
  Deno.test(`a first call hears that it waits for the gateway, by ${way}`, async () => {
    await using stage = await openStage();
    const project = await stage.project({});
    // Whoever has this lock starts the gateway.
    const lock = await lockFile(join(await openRunFolder(stage.home), "auto.lock"), {
      timeoutMs: 1_000,
    });
    await using connection = await stage.connect(newClient("legacy"), project, way);
    const heard: unknown[] = [];
    // The client forgets its listener with the result, and reads what came together in one go.
    const command = "await new Promise((done) => setTimeout(done, 500)); 1 + 1";
    const params = { name: "run", arguments: { command } };
    const result = await connection.client.callTool(params, {
      onprogress({ progress, message }) {
        if (heard.length === 0) lock?.[Symbol.dispose]();
        heard.push([progress, message]);
      },
    });
    assert.equal(textOf(result), "2");
    assert.deepEqual(heard[0], [0, "Starting the gateway"]);
    assert.deepEqual(heard.at(-1), [1, "Started"]);
  });
}

for (const era of ERAS) {
  Deno.test(`clients of the ${era} era in two projects have their own servers behind them`, async (t) => {
    await using stage = await openStage();
    const everything = { servers: { everything: pinnedCommand("everything") } };
    const project = await stage.project({ ...everything, direct: ["everything"] });
    const other = await stage.project({ servers: { memory: pinnedCommand("memory") } });
    await stage.startOnce(project);
    const client = newClient(era, { capabilities: { elicitation: { form: {} }, sampling: {} } });
    client.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
    client.setRequestHandler("sampling/createMessage", () => ({
      role: "assistant",
      model: "test",
      content: { type: "text", text: "sampled" },
    }));
    await using _one = await stage.connect(client, project);
    await using two = await stage.connect(newClient(era), other);
    await t.step("each works in its project", async () => {
      for (const [each, folder] of [[client, project], [two.client, other]] as const) {
        const params = { name: "run", arguments: { command: "Deno.cwd()" } };
        assert.equal(textOf(await each.callTool(params)), folder);
      }
      const projects = (await findGateways(stage.home)).map((gateway) => gateway.project);
      assert.deepEqual(projects.sort(), [project, other].sort());
    });
    await t.step("direct tools, resources and prompts", async () => {
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === "run") && tools.length > 3);
      assert.ok((await client.listPrompts()).prompts.length > 0);
      assert.ok((await client.listResources()).resources.length > 0);
    });
    await t.step("elicitation and sampling", async () => {
      const elicit = { name: "trigger-elicitation-request", arguments: {} };
      assert.match(textOf(await client.callTool(elicit)), /declined/);
      const sample = { name: "trigger-sampling-request", arguments: { prompt: "x" } };
      assert.match(textOf(await client.callTool(sample)), /sampled/);
      const command = "everything.triggerSamplingRequest(prompt='x')";
      const result = await client.callTool({ name: "run", arguments: { command } });
      assert.match(textOf(result), /sampled/);
    });
    await t.step("a killed gateway is replaced, and other tools are reported", async () => {
      const changed = Promise.withResolvers<void>();
      client.setNotificationHandler("notifications/tools/list_changed", () => changed.resolve());
      if (era === "modern") await client.listen({ toolsListChanged: true });
      const gateways = await findGateways(stage.home);
      const killed = gateways.find((gateway) => gateway.project === project);
      Deno.kill(killed?.pid ?? 0, "SIGKILL");
      const echo = { name: "echo", arguments: { message: "again" } };
      const first = await client.callTool(echo);
      // The bridge may not have seen the end of the gateway before the call.
      const result = first.isError ? await client.callTool(echo) : first;
      assert.match(textOf(result), /again/);
      await changed.promise;
    });
  });
}

Deno.test("a call that was cancelled while it waits does not run", async () => {
  await using stage = await openStage();
  const project = await stage.project({});
  await using connection = await stage.connect(newClient("legacy"), project);
  const { client } = connection;
  const file = "file.write(path='made.txt', content='x')";
  const leaving = new AbortController();
  const params = { name: "run", arguments: { command: file } };
  const call = client.callTool(params, { signal: leaving.signal });
  leaving.abort(new Error("no longer wanted"));
  await assert.rejects(call, /no longer wanted/);
  assert.equal(textOf(await client.callTool({ name: "run", arguments: { command: "2" } })), "2");
  await assert.rejects(Deno.stat(join(project, "made.txt")), Deno.errors.NotFound);
});

Deno.test("SIGTERM ends the bridge, and its gateway soon after", async () => {
  await using stage = await openStage();
  const project = await stage.project({});
  const connection = await stage.connect(newClient("legacy"), project);
  await connection.client.callTool({ name: "run", arguments: { command: "1" } });
  const [gateway] = await findGateways(stage.home);
  const environment = await Deno.readTextFile(`/proc/${connection.pid}/environ`);
  const command = await Deno.readTextFile(`/proc/${connection.pid}/cmdline`);
  assert.ok(gateway && !(environment + command).includes(gateway.token));
  Deno.kill(connection.pid, "SIGTERM");
  for (let tries = 0; (await findGateways(stage.home)).length > 0; tries++) {
    assert.ok(tries < 600, "the gateway is left");
    await delay(100);
  }
  await connection.client.close();
});

Deno.test("eight clients take little more memory than one", async () => {
  const isMeasured = await Deno.stat("/proc/self/smaps_rollup").then(() => true, () => false);
  if (!isMeasured) return;
  await using stage = await openStage();
  const project = await stage.project({});
  await using clients = new AsyncDisposableStack();
  const shares: number[] = [];
  let alone = 0;
  for (let count = 1; count <= 8; count++) {
    const { client, pid } = clients.use(await stage.connect(newClient("legacy"), project));
    await client.callTool({ name: "run", arguments: { command: "1" } });
    shares.push(pid);
    alone = await kilobytes(pid, "Rss"); // what one alone shares with nobody
  }
  const [gateway] = await findGateways(stage.home);
  const common = await kilobytes(gateway?.pid ?? 0, "Pss");
  const each = await Promise.all(shares.map((pid) => kilobytes(pid, "Pss")));
  const eight = each.reduce((sum, size) => sum + size, common);
  const one = common + alone;
  assert.ok(eight <= 1.6 * one, `${eight} kB for eight, ${one} kB for one`);
});

/** Memory of a process, of shared pages all (`Rss`) or its part (`Pss`). */
async function kilobytes(pid: number, name: "Rss" | "Pss"): Promise<number> {
  const text = await Deno.readTextFile(`/proc/${pid}/smaps_rollup`);
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]);
}
