import assert from "node:assert/strict";
import { resolveReference } from "#base";

const ROOT = {
  $defs: { a: 1, "b/c": 2, "d~e": 3, "f g": 4, "100%": 5, list: [6, { x: 7 }] },
  $anchor: "a",
};

Deno.test("resolveReference() follows local pointers alone", async (t) => {
  const rows: [reference: string, value: unknown][] = [
    ["#", ROOT],
    ["#/$defs/a", 1],
    ["#/%24defs/%61", 1],
    ["#/$defs/b~1c", 2],
    ["#/$defs/d~0e", 3],
    ["#/$defs/f%20g", 4],
    ["#/$defs/100%", 5],
    ["#/$defs/list/0", 6],
    ["#/$defs/list/1/x", 7],
    ["#/$defs/list/length", undefined],
    ["#/$defs/toString", undefined],
    ["#/__proto__/constructor", undefined],
    ["#a", undefined],
    ["a#/$defs/a", undefined],
    ["/$defs/a", undefined],
    ["", undefined],
  ];
  for (const [reference, value] of rows) {
    await t.step(reference, () => assert.equal(resolveReference(ROOT, reference), value));
  }
});

Deno.test("resolveReference() reads 500 characters and 32 parts", () => {
  const name = "x".repeat(500 - "#/".length);
  assert.equal(resolveReference({ [name]: 1 }, `#/${name}`), 1);
  assert.equal(resolveReference({ [`${name}x`]: 1 }, `#/${name}x`), undefined);
  const nested = (levels: number): unknown => levels === 0 ? 1 : { a: nested(levels - 1) };
  assert.equal(resolveReference(nested(32), `#${"/a".repeat(32)}`), 1);
  assert.equal(resolveReference(nested(33), `#${"/a".repeat(33)}`), undefined);
});
