/** A client subscribes to as much as fits in its requests. */

import assert from "node:assert/strict";
import { newClient, overHttp, overStdio } from "../gateway/mcp/clients.ts";
import { openGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

const { command, args } = fixture("good");
const config = { servers: { good: { command, args } }, direct: ["good"] };
const MANY = Array.from({ length: 1_001 }, (_, at) => `a:${at}`);
const LONG = `a:${"x".repeat(8_000)}`;

Deno.test("a client of the newest protocol watches no more than 1,000 resources", async (t) => {
  await using gateway = await openGateway(config);
  await gateway.ready();
  for (const [name, open] of Object.entries({ HTTP: overHttp, stdio: overStdio })) {
    await t.step(name, async () => {
      const client = newClient("modern");
      await using _connection = await open(gateway, client);
      for (const resourceSubscriptions of [MANY, [LONG]]) {
        await assert.rejects(client.listen({ resourceSubscriptions }), /Cannot subscribe/);
      }
      const subscription = await client.listen({ resourceSubscriptions: MANY.slice(1) });
      await subscription.close();
    });
  }
});

Deno.test("a client of an older protocol watches no more than 1,000 resources", async () => {
  await using gateway = await openGateway(config);
  await gateway.ready();
  const client = newClient("legacy");
  await using _connection = await overHttp(gateway, client);
  await assert.rejects(client.subscribeResource({ uri: LONG }), /Cannot subscribe/);
  for (const uri of MANY.slice(1)) await client.subscribeResource({ uri });
  await assert.rejects(client.subscribeResource({ uri: MANY[0] ?? "" }), /Cannot subscribe/);
  await client.subscribeResource({ uri: MANY[1] ?? "" });
});
