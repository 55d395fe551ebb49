/** Bodies of responses to calls. */

import assert from "node:assert/strict";
import { callText } from "../../gateway/answer_call.ts";

Deno.test("callText() lets other work run while it writes a large value of any tool", async () => {
  const names = Array.from({ length: 1_900 }, (_, at) => `a_${at}`);
  const row = Object.fromEntries(names.map((name) => [name, 1]));
  const value = { rows: Array.from({ length: 200 }, () => row) };
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  try {
    assert.equal(await callText({ value }), JSON.stringify({ result: value }));
  } finally {
    clearInterval(timer);
  }
  assert.notEqual(turns, 0);
});
