/** Shapes of one pack, between what is saved and what is new. */

import assert from "node:assert/strict";
import type { JsonValue } from "#base";
import { PackShapes } from "../../../runtime/shapes/pack_shapes.ts";
import { createShapeFiles } from "../../../runtime/shapes/shape_files.ts";

/** A result whose 900 fields no other result has. */
function resultAt(at: number): JsonValue {
  const name = (index: number) => `f${String.fromCharCode(97 + index)}x`;
  const kinds = [1, "text", true];
  const leaves = Object.fromEntries(
    Array.from({ length: 29 }, (_, index) => [name(index), kinds[index % 3] ?? null]),
  );
  const inner = Object.fromEntries(
    Array.from({ length: 29 }, (_, index) => [name(index), index % 5 ? leaves : "text"]),
  );
  return { [name(at % 25)]: { [name(Math.floor(at / 25))]: inner, own: 1 }, own: 1 };
}

Deno.test("results without a common place are learned up to a bound, and further after the file is saved", async () => {
  const cacheDir = await Deno.makeTempDir();
  try {
    const shapes = new PackShapes("mine", createShapeFiles({ cacheDir, log: () => {} }));
    const callsOf = (tool: string) => shapes.resultOf(tool, () => "id")?.calls ?? 0;
    for (let at = 0; at < 500; at++) shapes.learn("get", "id", resultAt(at));
    const learned = callsOf("get");
    assert.ok(learned > 1 && learned < 10, `${learned} results`);
    await shapes.save();
    for (let at = 0; at < 500; at++) shapes.learn("same", "id", resultAt(0));
    assert.equal(callsOf("same"), 500);
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});
