/** Questions in the answers of servers to what a client reads: bounded and set off, as in calls. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { openGateway } from "../../../support/gateway.ts";
import { ERAS, newClient, overHttp } from "../clients.ts";

const FIXTURE = fileURLToPath(
  new URL("../../../fixtures/mcp/odd_questions_server.ts", import.meta.url),
);
const ODD = { command: Deno.execPath(), args: ["run", "--quiet", "--no-check", FIXTURE] };
const URL_NEEDED = -32042;

for (const era of ERAS) {
  Deno.test(`what a server asks in reads reaches a client of the ${era} era set off`, async (t) => {
    await using gateway = await openGateway({ servers: { odd: ODD }, direct: ["odd"] });
    await gateway.ready();
    const capabilities = { elicitation: { form: {}, url: {} }, sampling: {} };
    const client = newClient(era, { capabilities });
    const seen: { message?: string; includeContext?: string; requestedSchema?: unknown }[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      seen.push(params as typeof seen[number]);
      return { action: "accept", content: { name: "Ana" } };
    });
    client.setRequestHandler("sampling/createMessage", ({ params }) => {
      seen.push(params as typeof seen[number]);
      return { role: "assistant", model: "m", content: { type: "text", text: "ok" } };
    });
    await using _connection = await overHttp(gateway, client);

    await t.step("a form", async () => {
      const { messages } = await client.getPrompt({ name: "form" });
      assert.match(JSON.stringify(messages), /Ana/);
      assert.match(seen[0]?.message ?? "", /^The server "odd" asks:\n> Your .*word:$/);
      assert.doesNotMatch(JSON.stringify(seen[0]), /\u202e|Name\\nword/);
    });
    await t.step("a model, without the context of servers", async () => {
      await client.getPrompt({ name: "sample" });
      assert.equal(seen.at(-1)?.includeContext, undefined);
    });
    await t.step("no question after a hundred", async () => {
      const before = seen.length;
      await assert.rejects(client.getPrompt({ name: "endless" }));
      assert.ok(seen.length - before <= 100, `${seen.length - before}`);
      const prompted = seen.length;
      await client.callTool({ name: "endless", arguments: {} }).catch(() => {});
      assert.ok(seen.length - prompted <= 100, `${seen.length - prompted}`);
    });
    await t.step("nothing with a state that is too large to keep", async () => {
      const before = seen.length;
      await assert.rejects(client.getPrompt({ name: "state" }), /their state has over 262144/);
      assert.equal(seen.length, before);
    });
    await t.step("addresses to open", async () => {
      const open = (uri: string) => client.readResource({ uri }).then(() => {}, (error) => error);
      const { code, data, message } = await open("odd://web");
      assert.equal(code, URL_NEEDED);
      assert.match(message, /The server "odd" asks:\n> Toolscript:/);
      assert.ok(!message.includes("\u001b"));
      assert.deepEqual(data.elicitations.map(({ url }: { url: string }) => url), [
        "https://sign.example/in",
      ]);
      assert.match(data.elicitations[0].message, /^The server "odd" asks:\n> Press/);
      for (const uri of ["odd://file", "odd://user", "odd://words"]) {
        const refusal = await open(uri);
        assert.notEqual(refusal.code, URL_NEEDED, uri);
        assert.doesNotMatch(JSON.stringify(refusal), /ssh|bank/);
      }
      const called = await client.callTool({ name: "file", arguments: {} }).catch(String);
      assert.doesNotMatch(JSON.stringify(called), /ssh/);
    });
  });
}

for (const era of ERAS) {
  Deno.test(`a client of the ${era} era that cannot be asked gets an error`, async () => {
    await using gateway = await openGateway({ servers: { odd: ODD }, direct: ["odd"] });
    await gateway.ready();
    await using connection = await overHttp(gateway, newClient(era));
    const call = connection.client.callTool({ name: "endless", arguments: {} });
    const result = await call.catch((error) => ({ isError: true, content: String(error) }));
    assert.equal(result.isError, true);
    assert.match(JSON.stringify(result.content), /elicitation|capabilit/);
  });
}
