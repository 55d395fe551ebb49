/** Differences of texts that a server sends. */

import assert from "node:assert/strict";
import { differenceOf } from "#base/difference";

const lines = (count: number, lineAt: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${lineAt(at)}\n`).join("");

Deno.test("differenceOf() shows what was removed and added, with the lines around", () => {
  const before = lines(9, (at) => `line ${at}`);
  assert.deepEqual(differenceOf(before, before.replace("line 4", "line four")), [
    "@@ -3,5 +3,5 @@",
    " line 2",
    " line 3",
    "-line 4",
    "+line four",
    " line 5",
    " line 6",
  ]);
  assert.deepEqual(differenceOf("", "one\n"), ["@@ -0,0 +1,1 @@", "+one"]);
  assert.deepEqual(differenceOf("same\n", "same\n"), []);
});

Deno.test("differenceOf() shows texts that differ everywhere whole, and soon", async (t) => {
  const many = 40_000;
  const rows: Record<string, [before: string, now: string, count: number]> = {
    "one line again and again": [lines(many, () => "a"), lines(many, () => "b"), many],
    "lines that are all different": [
      ...[lines(many, (at) => `a${at}`), lines(many, (at) => `b${at}`)] as const,
      many,
    ],
    "every other line": [
      ...[
        lines(many, (at) => at % 2 ? "same" : `a${at}`),
        lines(many, (at) => at % 2 ? "same" : `b${at}`),
      ] as const,
      many,
    ],
  };
  for (const [name, [before, now, count]] of Object.entries(rows)) {
    await t.step(name, () => {
      const [head, ...rest] = differenceOf(before, now);
      assert.equal(head, `@@ -1,${count} +1,${count} @@`);
      const text = (sign: string) =>
        rest.filter((line) => line.startsWith(sign)).map((line) => `${line.slice(1)}\n`).join("");
      assert.equal(text("-"), before);
      assert.equal(text("+"), now);
      assert.equal(rest.length, 2 * count);
    });
  }
});
