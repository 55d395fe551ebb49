/** A schema and arguments that take hours to compare end their own run only. */

import { equal, match } from "node:assert/strict";
import { resolvePrefixes } from "#packs";
import { startGatewayProcess } from "./gateway_process.ts";
import { hostileCommand } from "../support/servers.ts";

/** Each alone kept the gateway from every other work for minutes or for good. */
const ARGUMENTS = {
  "a pattern that doubles": '{ doubled: "a".repeat(60) + "!" }',
  "a pattern that everybody writes": '{ address: "a@" + "a.".repeat(200_000) + "@" }',
  "a list of many choices": "{ list: Array.from({ length: 300_000 }, () => 1) as never }",
  "several at once": '{ doubled: "a".repeat(50) + "!", list: [] }',
};

Deno.test("a check that takes too long ends its run, and no other", async (t) => {
  await using gateway = await startGatewayProcess({ servers: { hostile: hostileCommand() } });
  for (const [name, args] of Object.entries(ARGUMENTS)) {
    await t.step(name, async () => {
      const reply = await gateway.run(
        `import { tools } from "toolscript";
         const call = () => tools.hostile.call(${args});
         await Promise.allSettled(Array.from({ length: 20 }, call));
         await new Promise((resolve) => setTimeout(resolve, 30_000));`,
      );
      equal(reply.error?.code, "crashed", JSON.stringify(reply).slice(0, 1_000));
      match(reply.error?.message ?? "", /arguments take too long to check/);
    });
  }
  const next = await gateway.run(
    `import { tools } from "toolscript";
     export default await tools.hostile.call({ doubled: "aa", address: "a@b.c", list: ["a"] });`,
  );
  equal(next.value, "done", JSON.stringify(next));
});

Deno.test("resolvePrefixes() looks for a bounded number of names", () => {
  const names = Array.from({ length: 200 }, (_, index) => `${index}_name`);
  const schema = { properties: Object.fromEntries(names.map((name) => [name, {}])) };
  const args = Object.fromEntries(names.map((name) => [name.slice(0, -1), 1]));
  const resolved = Object.keys(resolvePrefixes(args, schema));
  equal(resolved.filter((name) => names.includes(name)).length, 100);
  equal(resolved.length, 200);
});
