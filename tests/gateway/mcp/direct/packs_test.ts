/** Tools of packs beside `run`. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openGateway } from "../../../support/gateway.ts";
import { ERAS, newClient, overHttp } from "../clients.ts";

for (const era of ERAS) {
  Deno.test(`direct tools of packs give their results to a client of the ${era} era`, async (t) => {
    await using gateway = await openGateway({
      direct: ["file.read", "text", "data", "ot.version"],
    });
    await Deno.writeTextFile(join(gateway.project, "a.txt"), "one\n");
    await using connection = await overHttp(gateway, newClient(era));
    const { client } = connection;
    // The client checks structured content against the schema of the list.
    const { tools } = await client.listTools();
    assert.ok(
      tools.some(({ name, outputSchema }) => name === "read" && outputSchema !== undefined),
    );

    await t.step("an object, as text and as structured content", async () => {
      const read = await client.callTool({ name: "read", arguments: { path: "a.txt" } });
      assert.equal((read.structuredContent as { text?: unknown }).text, "one\n");
      const [{ text } = { text: "" }] = read.content as { text: string }[];
      assert.deepEqual(JSON.parse(text), read.structuredContent);
    });
    await t.step("a text", async () => {
      const args = { text: "Ana", to: "constant" };
      const { content } = await client.callTool({ name: "change_case", arguments: args });
      assert.deepEqual(content, [{ type: "text", text: "ANA" }]);
    });
    await t.step("a list", async () => {
      const args = { text: "[1, 2]", format: "json" };
      const { content, isError } = await client.callTool({ name: "parse", arguments: args });
      assert.notEqual(isError, true, JSON.stringify(content));
      assert.match(JSON.stringify(content), /\[1,2\]/);
    });
    await t.step("an error", async () => {
      const gone = await client.callTool({ name: "read", arguments: { path: "none" } });
      assert.equal(gone.isError, true);
    });
  });
}
