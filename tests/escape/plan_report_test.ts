/** A plan changes nothing: a report of the statistics is not written while it is made. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openGateway } from "../support/gateway.ts";

Deno.test("ot.stats writes its report when the program runs, not for its plan", async (t) => {
  await using gateway = await openGateway();
  const isThere = (name: string) => {
    return Deno.stat(join(gateway.project, name)).then(() => true, () => false);
  };
  const programs = {
    "a.html": 'tools.ot.stats({ output: "a.html" })',
    "b.html": 'tools["ot"]["stats"]({ ["out" + "put"]: "b.html", period: "day" })',
    "c.html": 'Promise.all([tools.ot.stats({ period: "all", output: "c.html" })])',
  };
  for (const [name, call] of Object.entries(programs)) {
    await t.step(name, async () => {
      const script = `import { tools } from "toolscript"; return await ${call};`;
      const plan = await gateway.run(script, { plan: true });
      assert.ok(plan.plan !== undefined, plan.text);
      assert.equal(await isThere(name), false);
      const reply = await gateway.run(script);
      assert.ok(reply.ok, reply.text);
      assert.equal(await isThere(name), true);
    });
  }
});
