import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { delay, openGateway } from "../../../support/gateway.ts";
import { pinnedCommand } from "../../../support/servers.ts";
import { ERAS, newClient, overHttp, overStdio, textOf } from "../clients.ts";

const CONFIG = fileURLToPath(new URL("../../../../deno.json", import.meta.url));
const FIXTURE = fileURLToPath(
  new URL("../../../fixtures/mcp/conformance_server.ts", import.meta.url),
);
const CONFORMANCE = {
  command: Deno.execPath(),
  args: ["run", "-A", "--quiet", "--no-check", `--config=${CONFIG}`, FIXTURE],
};

for (const era of ERAS) {
  Deno.test(`direct tools reach a client of the ${era} era as their server made them`, async (t) => {
    await using gateway = await openGateway({
      servers: {
        everything: { ...pinnedCommand("everything"), effects: { echo: "destroy" } },
        conformance: CONFORMANCE,
      },
      direct: ["everything.get-*", "everything.echo", "conformance"],
      security: {},
    });
    // A server that did not start at the first attempt is listed after the next.
    await gateway.ready();
    await using connection = await overHttp(gateway, newClient(era));
    const { client } = connection;

    await t.step("the list has run and the selected tools only", async () => {
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      assert.equal(names[0], "run");
      assert.ok(names.includes("echo") && names.includes("get-sum"));
      assert.ok(names.includes("test_simple_text"));
      assert.ok(!names.includes("trigger-long-running-operation"));
      const sum = tools.find(({ name }) => name === "get-sum");
      assert.deepEqual(sum?.inputSchema.required, ["a", "b"]);
      assert.equal(sum?.annotations?.readOnlyHint, true);
      const { readOnlyHint, destructiveHint } = tools.find(({ name }) =>
        name === "echo"
      )?.annotations ?? {};
      assert.deepEqual({ readOnlyHint, destructiveHint }, {
        readOnlyHint: false,
        destructiveHint: true,
      });
    });
    await t.step("content of every kind, structured content too", async () => {
      const image = await client.callTool({ name: "get-tiny-image", arguments: {} });
      assert.ok(JSON.stringify(image.content).includes('"type":"image"'));
      const structured = await client.callTool({
        name: "get-structured-content",
        arguments: { location: "Chicago" },
      });
      assert.equal(typeof structured.structuredContent, "object");
      const failed = await client.callTool({ name: "test_error_handling", arguments: {} });
      assert.equal(failed.isError, true);
    });
    await t.step("arguments are checked before the server sees them", async () => {
      const result = await client.callTool({ name: "get-sum", arguments: { a: "x" } });
      assert.equal(result.isError, true);
      assert.match(textOf(result), /Cannot call "everything\.get-sum"/);
    });
    await t.step("resources, templates, prompts and completions", async () => {
      const { resources } = await client.listResources();
      assert.ok(resources.some(({ uri }) => uri === "test://static-text"));
      const read = await client.readResource({ uri: "test://template/7/data" });
      assert.match(JSON.stringify(read.contents), /Data for ID: 7/);
      await assert.rejects(client.readResource({ uri: "test://nothing" }));
      await assert.rejects(client.readResource({ uri: "ot://result/nothing" }), /not found/);
      const { prompts } = await client.listPrompts();
      assert.ok(prompts.some(({ name }) => name === "test_simple_prompt"));
      const prompt = await client.getPrompt({ name: "test_simple_prompt" });
      assert.match(JSON.stringify(prompt.messages), /simple prompt/);
      const { completion } = await client.complete({
        ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
        argument: { name: "arg1", value: "pari" },
      });
      assert.deepEqual(completion.values, ["paris"]);
    });
    await t.step("a changed list is reported", async () => {
      const changed = Promise.withResolvers<void>();
      client.setNotificationHandler("notifications/tools/list_changed", () => changed.resolve());
      if (era === "modern") await client.listen({ toolsListChanged: true });
      await delay(50);
      await client.callTool({ name: "test_trigger_tool_change", arguments: {} });
      await changed.promise;
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === "test_late_tool_0"));
    });
  });

  Deno.test(`an older server asks a client of the ${era} era in the midst of a call`, async (t) => {
    await using gateway = await openGateway({
      servers: { everything: pinnedCommand("everything") },
      direct: ["everything"],
    });
    const client = newClient(era, {
      capabilities: { elicitation: { form: {} }, sampling: {} },
    });
    client.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
    client.setRequestHandler("sampling/createMessage", () => ({
      role: "assistant",
      model: "test",
      content: { type: "text", text: "sampled" },
    }));
    await using _connection = await overHttp(gateway, client);
    await t.step("elicitation", async () => {
      const name = "trigger-elicitation-request";
      assert.match(textOf(await client.callTool({ name, arguments: {} })), /declined/);
    });
    await t.step("sampling", async () => {
      const name = "trigger-sampling-request";
      const result = await client.callTool({ name, arguments: { prompt: "x" } });
      assert.match(textOf(result), /sampled/);
    });
    await t.step("a client without the capability gets no question", async () => {
      await using other = await overHttp(gateway, newClient(era));
      const name = "trigger-sampling-request";
      const result = await other.client.callTool({ name, arguments: { prompt: "x" } });
      assert.equal(result.isError, true);
      assert.doesNotMatch(textOf(result), /sampled/);
    });
    await t.step("a call of a run asks its client", async () => {
      const command = "everything.triggerSamplingRequest(prompt='x')";
      const result = await client.callTool({ name: "run", arguments: { command } });
      assert.match(textOf(result), /sampled/);
    });
  });

  Deno.test(`a server's question reaches a client of the ${era} era, over stdio too`, async () => {
    await using gateway = await openGateway({
      servers: { conformance: CONFORMANCE },
      direct: ["conformance"],
    });
    const client = newClient(era, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", () => ({
      action: "accept",
      content: { name: "Ana" },
    }));
    await using _connection = await overStdio(gateway, client);
    const name = "test_input_required_result_elicitation";
    const result = await client.callTool({ name, arguments: {} });
    assert.equal(textOf(result), "Hello, Ana!");
  });
}
