import assert from "node:assert/strict";
import { openGateway, type StreamEvent } from "../../support/gateway.ts";
import { askingCommand, askingOverHttp } from "../../support/servers.ts";
import { ERAS, newClient, overHttp, textOf } from "./clients.ts";

const script = (body: string) =>
  `import { tools } from "toolscript"; return await tools.asking.${body}`;
const logs = (events: readonly StreamEvent[]) => events.filter(({ type }) => type === "log");

Deno.test("POST /run sends the log of a server during the run", async (t) => {
  const data = { text: "half done", at: [1, null] };
  for (const protocol of ERAS) {
    await using server = await askingOverHttp(protocol);
    for (const asking of [askingCommand(protocol), { url: server.url }]) {
      await t.step(`${protocol}, ${"url" in asking ? "HTTP" : "stdio"}`, async () => {
        await using gateway = await openGateway({ servers: { asking } });
        const call = script(`log({ data: ${JSON.stringify(data)} })`);
        const events = await Array.fromAsync(gateway.stream(call));
        assert.deepEqual(logs(events), [{
          type: "log",
          level: "info",
          data,
          logger: "asking/fixture",
        }]);
        assert.deepEqual(events.at(-1)?.warnings, []);
      });
    }
  }
});

Deno.test("an endless log of a server is bounded", async (t) => {
  await using gateway = await openGateway({ servers: { asking: askingCommand() } });
  await t.step("many messages", async () => {
    const events = logs(await Array.fromAsync(gateway.stream(script("log({ count: 3000 })"))));
    assert.equal(events.length, 1_001);
    assert.match(String(events.at(-1)?.data), /left out/);
  });
  await t.step("large ones", async () => {
    const call = script('log({ count: 20, data: "x".repeat(50_000) })');
    const events = logs(await Array.fromAsync(gateway.stream(call)));
    assert.equal(events.length, 6);
    assert.match(String(events.at(-1)?.data), /left out/);
  });
});

Deno.test("the log of a server reaches the MCP client of the run, from its level on", async (t) => {
  await using gateway = await openGateway({
    servers: { asking: askingCommand() },
    security: { warned: ["asking.log"] },
  });
  const listen = (era: "modern" | "legacy") => {
    const client = newClient(era);
    const messages: unknown[][] = [];
    client.setNotificationHandler("notifications/message", ({ params }) => {
      messages.push([params.level, params.logger]);
    });
    return { client, messages };
  };
  const log = (level: string) => ({
    name: "run",
    arguments: { command: `asking.log(level="${level}")` },
  });
  const WARNING = ["warning", "run"];

  await t.step("legacy", async () => {
    const { client, messages } = listen("legacy");
    await using _connection = await overHttp(gateway, client);
    assert.match(textOf(await client.callTool(log("info"))), /logged/);
    assert.deepEqual(messages.splice(0), [["info", "asking/fixture"], WARNING]);
    await client.setLoggingLevel("warning");
    await client.callTool(log("info"));
    await client.callTool(log("error"));
    assert.deepEqual(messages.splice(0), [WARNING, ["error", "asking/fixture"], WARNING]);
  });
  await t.step("modern", async () => {
    const { client, messages } = listen("modern");
    await using _connection = await overHttp(gateway, client);
    await client.callTool(log("error"));
    assert.deepEqual(messages.splice(0), []);
    const level = { _meta: { "io.modelcontextprotocol/logLevel": "warning" } };
    await client.callTool({ ...log("info"), ...level });
    await client.callTool({ ...log("error"), ...level });
    assert.deepEqual(messages.splice(0), [WARNING, ["error", "asking/fixture"], WARNING]);
  });
});

Deno.test("the log of a server is dropped while it works for several clients", async () => {
  await using gateway = await openGateway({ servers: { asking: askingCommand() } });
  const folder = await Deno.makeTempDir({ prefix: "toolscript-logs-" });
  const [begun, gate] = [`${folder}/begun`, `${folder}/gate`];
  const waiting = gateway.run(script(`wait(${JSON.stringify({ begun, gate })})`));
  while (!(await Deno.stat(begun).catch(() => undefined))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const events = await Array.fromAsync(gateway.stream(script("log({})")));
  assert.deepEqual(logs(events), []);
  await Deno.writeTextFile(gate, "");
  await waiting;
  await Deno.remove(folder, { recursive: true });
});
