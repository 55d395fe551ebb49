/** Repeated calls, from a program to a real server. */

import { stepThrough } from "../support/commands.ts";
import assert from "node:assert/strict";
import { openGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

Deno.test("a program has calls repeated that failed for a reason that may pass", async (t) => {
  const { command, args } = fixture("flaky");
  await using gateway = await openGateway({ servers: { shop: { command, args } } });
  await gateway.ready();
  await stepThrough(t, gateway, [
    { name: "as a keyword", command: "shop.get(id=1, retry=2)", value: { id: 1, failed: 2 } },
    {
      name: "as an object",
      command: "await tools.shop.get({ id: 2 }, { retry: 2 })",
      value: { id: 2, failed: 2 },
    },
    { name: "idempotent", command: "shop.put(retry=5)", value: { failed: 2 } },
    { name: "once too few", command: "shop.get(id=3, retry=1)", code: "tool_error" },
    { name: "the third is right again", command: "shop.get(id=3)", value: { id: 3, failed: 2 } },
    {
      name: "what may change something is called once",
      command: "try { shop.buy(id=4, retry=5) } catch (error) { return [error.retryable, " +
        "error.details.content[0].text] }",
      value: [true, '{"id":4,"failed":0}'],
    },
    { name: "so that it has failed once", command: "shop.buy(id=4)", code: "tool_error" },
    { name: "and once more", command: "shop.buy(id=4)", value: { id: 4, failed: 2 } },
    { name: "the tool's own", command: "shop.own(retry=2)", value: { retry: 2, failed: 0 } },
    { name: "no number", command: 'shop.get(id=5, retry="often" as any)', code: "tool_error" },
    { name: "another option", command: "shop.get({}, { again: 2 })", code: "type_error" },
  ]);
  await t.step("over HTTP", async () => {
    const call = async (query: string) =>
      await (await gateway.post(`/tools/shop__get${query}`, { id: 7 })).json();
    assert.deepEqual(await call("?retry=2"), { result: { id: 7, failed: 2 } });
    assert.equal((await call("?retry=-1")).error.code, "bad_request");
    assert.equal((await call("?retry=11")).error.code, "bad_request");
  });
});
