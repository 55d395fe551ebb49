/** Results of direct tools: to a client as their server made them, or an error. */

import assert from "node:assert/strict";
import { openGateway } from "../../../support/gateway.ts";
import { fixture } from "../../../support/servers.ts";
import { ERAS, newClient, overHttp, textOf } from "../clients.ts";

const { command, args } = fixture("results");
const CONTENT = [
  { type: "text", text: "a", annotations: { audience: ["user"], priority: 1 }, _meta: { b: 1 } },
  { type: "image", data: "AAAA", mimeType: "image/png" },
  { type: "resource_link", uri: "a:b", name: "c", size: 1 },
  { type: "resource", resource: { uri: "a:b", text: "c", mimeType: "text/plain" } },
] as const;

for (const era of ERAS) {
  Deno.test(`results of direct tools reach a client of the ${era} era`, async (t) => {
    await using gateway = await openGateway({
      servers: { odd: { command, args } },
      direct: ["odd.echo"],
    });
    await gateway.ready();
    await using connection = await overHttp(gateway, newClient(era));
    const call = (result: Record<string, unknown>) =>
      connection.client.callTool({ name: "echo", arguments: result });

    await t.step("as they are", async () => {
      const result = { content: [...CONTENT], structuredContent: { a: [{}] }, isError: true };
      const { content, structuredContent, isError } = await call(result);
      assert.deepEqual({ content, structuredContent, isError }, result);
    });
    await t.step("with content where they have none", async () => {
      assert.deepEqual((await call({})).content, []);
      assert.equal(textOf(await call({ structuredContent: [1] })), "[1]");
    });
    await t.step("as an error where they are not as MCP has them", async () => {
      for (const content of [Array(1_000).fill({}), [null], "text"]) {
        const result = await call({ content });
        assert.equal(result.isError, true);
        assert.match(textOf(result), /^Cannot read the answer of "odd\.echo": .{1,100}$/);
      }
    });
  });
}
