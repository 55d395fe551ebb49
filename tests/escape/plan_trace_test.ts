/** What a plan reads is shown on the page, and what it is refused is in the audit. */

import assert from "node:assert/strict";
import { readAudit } from "#runtime/stats";
import { openShop } from "../support/shop.ts";
import { openSession } from "../gateway/page/browser_session.ts";
import { statsFolder } from "../support/stats.ts";

const REFUSED = 'const s: any = tools.shop; const r = await s["no" + "te"]({ text: "x" });' +
  " if (Object.keys(r).length === 0) await s[['pur', 'ge'].join('')]({}).catch(() => {});";
const PROGRAMS = {
  "a read": "await tools.shop.listOrders({});",
  "a read beside a write": 'await tools.shop.listOrders({}); await tools.shop.note({ text: "x" });',
  "a read whose result would be sent": "const { orders } = await tools.shop.listOrders({}); " +
    "await tools.shop.note({ text: JSON.stringify(orders) });",
};

Deno.test("the calls that a plan makes are shown with it", async (t) => {
  for (const [name, program] of Object.entries(PROGRAMS)) {
    await t.step(name, async () => {
      await using shop = await openShop();
      const { gateway } = shop;
      const reply = await gateway.run(`import { tools } from "toolscript"; ${program}`, {
        plan: true,
      });
      assert.ok(reply.ok, reply.text);
      const browser = await openSession(gateway);
      const page = await (await browser.fetch(`/runs/${reply.run}`)).text();
      const calls = [...page.matchAll(/aria-label="Arguments of ([\w.]+)"/g)];
      assert.deepEqual(calls.map(([, tool]) => tool), ["shop.list_orders"]);
    });
  }
});

Deno.test("a refusal of a program that behaves in its plan as in no run is in the audit", async () => {
  await using shop = await openShop({ security: { ask: [], blocked: ["shop.purge"] } });
  const { gateway } = shop;
  const reply = await gateway.run(`import { tools } from "toolscript"; ${REFUSED}`, { plan: true });
  assert.ok(reply.plan !== undefined, reply.text);
  await gateway.close();
  const refusals = readAudit(statsFolder(gateway))
    .map(({ kind, tool, run }) => [kind, tool, run]);
  assert.deepEqual(refusals, [["refusal", "shop.purge", reply.run]]);
});
