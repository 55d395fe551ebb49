/** Plans of many small keys hold up no other work, and are bounded. */

import assert from "node:assert/strict";
import { createPace } from "#base";
import { createCallKeeper } from "#runtime";
import { openShop } from "../support/shop.ts";
import { countTurns, manyKeys } from "../support/turns.ts";

/** A program whose calls have these values each. */
function programOf(value: string, calls: number): string {
  return 'import { tools } from "toolscript";\nconst t: any = tools;\n' +
    `const value = ${value};\nconst made = [];\n` +
    `for (let i = 0; i < ${calls}; i++) {\n` +
    "  made.push(await t.shop.purge({ i, value }).then(() => 'ok', (e: any) => e.code));\n}\n" +
    "return await Promise.all(made);";
}

const keysOf = (count: number) =>
  `Object.fromEntries(Array.from({ length: ${count} }, (_, at) => [at.toString(36) + "_", 1]))`;

Deno.test("a plan of more lists, objects and keys than one call may have is incomplete", async (t) => {
  await using shop = await openShop();
  const { gateway } = shop;
  const rows = {
    "keys of large calls": [keysOf(60_000), 2],
    "one large call": [keysOf(106_000), 1],
    "lists": ["Array.from({ length: 40_000 }, () => [])", 3],
    "objects": ["Array.from({ length: 40_000 }, () => ({}))", 3],
    "keys of many calls": [keysOf(1_500), 80],
    "levels within one another": [
      "Array.from({ length: 500 }, () => JSON.parse('['.repeat(60) + ']'.repeat(60)))",
      4,
    ],
  } as const;
  for (const [name, [value, calls]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const script = programOf(value, calls);
      // One after the other, and at once.
      for (const program of [script, script.replace("push(await ", "push(")]) {
        const { plan, text } = await gateway.run(program, { plan: true });
        assert.ok(plan?.incomplete, text.slice(0, 300));
        assert.ok(plan.calls.length < calls, `${plan.calls.length} calls`);
      }
    });
  }
  assert.deepEqual(await shop.writes(), []);
});

Deno.test("a plan as large as one call may be is made, and runs", async () => {
  await using shop = await openShop();
  const script = programOf(keysOf(12_000), 8);
  const { plan, text } = await shop.gateway.run(script, { plan: true });
  assert.equal(plan?.calls.length, 8, text.slice(0, 300));
  const reply = await shop.gateway.run(script, { plan: plan.id });
  assert.deepEqual(reply.value, Array(8).fill("ok"), reply.text.slice(0, 300));
});

Deno.test("the calls of a plan are kept, keyed and read in turns", async () => {
  const keeper = createCallKeeper({ pace: createPace() });
  const call = { tool: "shop.purge", arguments: manyKeys(80_000) };
  const calls = [call, call, call, call];
  const kept = await countTurns(() => Promise.all(calls.map((each) => keeper.keep(each))));
  const keyed = await countTurns(() => Promise.all(calls.map((each) => keeper.keyOf(each))));
  const read = await countTurns(() => keeper.read(kept.result));
  const turns = [kept.turns, keyed.turns, read.turns];
  assert.ok(turns.every((count) => count >= calls.length - 1), turns.join(" "));
  assert.deepEqual(keyed.result, kept.result.map(({ key }) => key));
  assert.deepEqual(read.result[0], call);
});
