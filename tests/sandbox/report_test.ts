/** Reading of a program's end. */

import assert from "node:assert/strict";
import { countTurns, manyKeys } from "../support/turns.ts";
import { readValue } from "../../sandbox/report.ts";

Deno.test("readValue() lets other work run while it reads a large value", async () => {
  const value = manyKeys();
  const { result, turns } = await countTurns(() => readValue(JSON.stringify(value)));
  assert.deepEqual(result, { kind: "value", value });
  assert.notEqual(turns, 0);
});

Deno.test("readValue() tells what cannot be read, small or large", async () => {
  const long = `"${"x".repeat(400_000)}"`;
  for (const text of ["", "{", `[${long}`, "[".repeat(600) + "]".repeat(600), `[${long}]]`]) {
    assert.equal((await readValue(text)).kind, "crashed", text.slice(0, 20));
  }
});
