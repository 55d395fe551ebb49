/** The check on learned results, against random tools: no program that runs rightly is stopped. */

import assert from "node:assert/strict";
import { delay, openGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";
import {
  randomNumbers,
  randomTool,
  type Statement,
  usesOf,
} from "../runtime/shapes/random_results.ts";

const TOOLS = 80;
const MOST_RESULTS = 6;

Deno.test("no program that runs rightly is stopped by what was learned", async () => {
  const names = Array.from(
    { length: TOOLS },
    (_, at) => `tool${at}`,
  );
  const { command, args } = fixture("returns");
  await using gateway = await openGateway({
    servers: { shop: { command, args: [...args, ...names] } },
  });
  await gateway.ready();
  const rows = names.map((name, seed) => {
    const random = randomNumbers(seed);
    const next = randomTool(random);
    const earlier = Array.from({ length: 1 + Math.floor(random() * MOST_RESULTS) }, next);
    return { name, random, earlier, next };
  });
  for (const { name, earlier } of rows) {
    for (const result of earlier) {
      const response = await gateway.post(`/tools/shop__${name}`, { result });
      assert.equal(response.status, 200);
      await response.body?.cancel();
    }
  }
  await delay(2_000);
  let count = 0;
  for (const { name, random, earlier, next } of rows) {
    const result = next();
    const statements = usesOf(result, { earlier, random }).filter((use) => runs(use, result));
    count += statements.length;
    const script = [
      'import { tools } from "toolscript";',
      `const r = await tools.shop.${name}({ result: ${JSON.stringify(result)} });`,
      ...statements.map(({ typescript }) => `${typescript};`),
    ].join("\n");
    const reply = await gateway.run(script);
    assert.ok(reply.ok, `${name}: ${reply.text}\nafter ${JSON.stringify(earlier)}\n${script}`);
  }
  assert.ok(count > 10 * TOOLS, `${count} uses are too few`);
});

/** Tells that a use throws nothing. */
function runs({ javascript }: Statement, result: unknown): boolean {
  try {
    new Function("r", `"use strict"; ${javascript}`)(structuredClone(result));
    return true;
  } catch {
    // It is not a right use of this result.
    return false;
  }
}
