/** Entries with flawed fields take no list from a client. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { openGateway } from "../../../support/gateway.ts";
import { ERAS, newClient, overHttp } from "../clients.ts";

const FIXTURE = fileURLToPath(new URL("../../../fixtures/mcp/flawed_server.ts", import.meta.url));
const flawed = { command: Deno.execPath(), args: ["run", "--quiet", "--no-check", FIXTURE] };

for (const era of ERAS) {
  Deno.test(`a client of the ${era} era gets lists with flawed entries`, async () => {
    await using gateway = await openGateway({ servers: { flawed }, direct: ["flawed"] });
    await gateway.ready();
    await using connection = await overHttp(gateway, newClient(era));
    const { client } = connection;
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    assert.equal(names.filter((name) => name.startsWith("tool")).length, 10, names.join());
    assert.deepEqual(tools.find(({ name }) => name === "tool0")?.inputSchema, {
      type: "object",
      properties: { a: {}, b: { not: {} }, c: {}, d: {} },
    });
    assert.deepEqual(tools.find(({ name }) => name === "tool4")?.annotations, {
      openWorldHint: true,
    });
    assert.equal(tools.find(({ name }) => name === "tool9")?.outputSchema, undefined);
    assert.equal((await client.listResources()).resources.length, 16);
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.equal(resourceTemplates.filter(({ name }) => name.startsWith("t:")).length, 16);
    assert.equal((await client.listPrompts()).prompts.length, 16);
  });
}
