/** Literals in the settings of JavaScript. */

import assert from "node:assert/strict";
import { literalsIn } from "../../../packs/closed/settings.ts";
import { usedMs } from "../../support/turns.ts";

const LITERAL = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

Deno.test("literalsIn() finds what the pattern of a literal does", () => {
  const signs = ['"', "'", "\\", "\n", "\r", "\u2028", "a"];
  let seed = 1;
  for (let row = 0; row < 20_000; row++) {
    let text = "";
    for (let at = 0; at < 14; at++) {
      seed = (seed * 48_271) % 2_147_483_647;
      text += signs[seed % signs.length];
    }
    const expected = [...text.matchAll(LITERAL)].map(([literal]) => literal);
    assert.deepEqual([...literalsIn(text)], expected, JSON.stringify(text));
  }
});

Deno.test("literalsIn() reads literals that do not end once", async (t) => {
  const rows = {
    "escaped quotes": '\\"'.repeat(131_000),
    "single quotes": "\\'".repeat(131_000),
    "both": `\\"\\'`.repeat(65_500),
    "others between": `\\"'a'`.repeat(52_000),
    "carriage returns": '\\"\\"\\"\\\r'.repeat(32_000),
  };
  for (const [name, text] of Object.entries(rows)) {
    await t.step(name, () => {
      const before = usedMs();
      const literals = [...literalsIn(`${text}\n"last"`)];
      const used = usedMs() - before;
      assert.equal(literals.at(-1), '"last"');
      assert.ok(used < 3_000, `${used} ms of processor`);
    });
  }
});
