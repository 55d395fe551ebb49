import assert from "node:assert/strict";
import { openGateway } from "../../../support/gateway.ts";
import { ERAS, newClient, overHttp, textOf } from "../clients.ts";

for (const era of ERAS) {
  Deno.test(`/mcp runs commands for a client of the ${era} era`, async (t) => {
    await using gateway = await openGateway();
    await using connection = await overHttp(gateway, newClient(era));
    const { client } = connection;
    const call = (args: Record<string, unknown>) =>
      client.callTool({ name: "run", arguments: args });

    await t.step("run and look are the only tools", async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map(({ name }) => name), ["run", "look"]);
    });
    await t.step("a value is one block of text", async () => {
      const result = await call({ command: "1 + 1" });
      assert.deepEqual(result.content, [{ type: "text", text: "2" }]);
      assert.equal(result.isError, false);
      assert.equal(result.structuredContent, undefined);
      assert.match(String(result._meta?.run), /^r_/);
      assert.equal(result._meta?.calls, 0);
      assert.equal(typeof result._meta?.ms, "number");
      assert.deepEqual(result._meta?.warnings, []);
    });
    await t.step("a failed run is an error result", async () => {
      const result = await call({ command: "throw new Error('no')" });
      assert.equal(result.isError, true);
      assert.match(textOf(result), /no/);
    });
    await t.step("a wrong argument is named", async () => {
      const result = await call({ comand: "1" });
      assert.equal(result.isError, true);
      assert.match(textOf(result), /"comand": it is unknown: use command, format/);
      assert.match(textOf(await call({ command: 7 })), /"command": it takes a string/);
    });
    await t.step("an unknown tool is refused", async () => {
      await assert.rejects(client.callTool({ name: "other", arguments: {} }), /no such tool/);
    });
    await t.step("progress and log arrive during the run", async () => {
      const progress: unknown[] = [];
      const logs: unknown[] = [];
      client.setNotificationHandler("notifications/message", ({ params }) => {
        logs.push(params.data);
      });
      const _meta = { "io.modelcontextprotocol/logLevel": "debug" };
      const command = "console.log('hello'); 'done'";
      await client.callTool({ name: "run", arguments: { command }, _meta }, {
        onprogress: (each) => progress.push(each),
      });
      assert.ok(progress.length > 0);
      assert.deepEqual(logs, ["hello\n"]);
    });
  });
}
