/** Bodies of responses to calls. */

import assert from "node:assert/strict";
import type { JsonValue } from "#base";
import { callText } from "../../gateway/answer_call.ts";
import { countTurns } from "../support/turns.ts";

Deno.test("callText() lets other work run while it writes a large value of any tool", async () => {
  const names = Array.from({ length: 1_900 }, (_, at) => `a_${at}`);
  const row = Object.fromEntries(names.map((name) => [name, 1]));
  const value = { rows: Array.from({ length: 200 }, () => row) };
  const { result, turns } = await countTurns(() => callText({ value }));
  assert.equal(result, JSON.stringify({ result: value }));
  assert.notEqual(turns, 0);
});

Deno.test("callText() leaves fields without a value out of small and large bodies", async () => {
  for (const length of [1, 400_000]) {
    const value = { text: "x".repeat(length), gone: undefined } as unknown as JsonValue;
    assert.equal(await callText({ value }), JSON.stringify({ result: value }));
  }
});
