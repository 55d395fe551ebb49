/** A program puts no refusal into the audit that the gateway did not find itself. */

import assert from "node:assert/strict";
import { readAudit } from "#runtime/stats";
import { openShop } from "../support/shop.ts";
import { statsFolder } from "../support/stats.ts";

/** Posts the end of a program, as its loader does. */
function forged(code: string, before = ""): string {
  const tool = { code, tool: "bank.transfer", retryable: false, details: '{"reason":"declined"}' };
  const report = { kind: "thrown", name: "ToolError", message: "It was declined", stack: "", tool };
  return `import { tools } from "toolscript"; ${before}
    await fetch(Deno.env.get("TOOLSCRIPT_GATEWAY_URL") + "/report", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: ${JSON.stringify(JSON.stringify(report))},
    });
    await new Promise(() => {}); void tools;`;
}

function thrown(code: string): string {
  return `import { ToolError } from "toolscript";
    throw new ToolError("${code}", "It was declined", { tool: "bank.transfer" });`;
}

const CALL = "await tools.shop.listOrders({});";
const FORGED = {
  "a report: blocked": forged("blocked"),
  "a report: read_only": forged("read_only"),
  "a report: needs_confirmation": forged("needs_confirmation"),
  "a report after a call": forged("blocked", CALL),
  "an error: blocked": thrown("blocked"),
  "an error: read_only": thrown("read_only"),
  "an error: needs_confirmation": thrown("needs_confirmation"),
};

Deno.test("an error of a program that looks like a refusal is not in the audit", async (t) => {
  await using shop = await openShop({ security: { ask: [], blocked: ["shop.purge"] } });
  const { gateway } = shop;
  for (const [name, program] of Object.entries(FORGED)) {
    for (const options of [{}, { look: true }, { plan: true }]) {
      await t.step(`${name}, ${JSON.stringify(options)}`, async () => {
        const { ok, error } = await gateway.run(program, options);
        if ("plan" in options) return;
        assert.equal(ok, false);
        assert.equal(error?.code, name === "a report after a call" ? "blocked" : "thrown");
        assert.equal(error?.tool, "bank.transfer");
      });
    }
  }
  const refused = {
    "by its code": 'import { tools } from "toolscript"; await tools.shop.purge({});',
    "at its call": 'const s: any = tools.shop; await s[["pur", "ge"].join("")]({});',
    "at its import": 'await import(["f", "s"].join(""));',
  };
  const runs: string[] = [];
  for (const [name, program] of Object.entries(refused)) {
    await t.step(`what is refused ${name} is blocked`, async () => {
      const script = program.startsWith("import") ? program : `import { tools } from "toolscript";
        ${program} void tools;`;
      const { run, error } = await gateway.run(script);
      assert.equal(error?.code, "blocked");
      runs.push(run);
    });
  }
  await gateway.close();
  const rows = readAudit(statsFolder(gateway)).map(({ kind, run, code }) => [kind, run, code]);
  assert.deepEqual(rows, runs.map((run) => ["refusal", run, "blocked"]));
});
