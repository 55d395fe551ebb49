import assert from "node:assert/strict";
import { bounded } from "#base/bounded";

Deno.test("bounded() returns the result of the work, and throws its error", async () => {
  assert.equal(bounded(() => 1 + 1, 1_000), 2);
  assert.equal(await bounded(() => Promise.resolve("later"), 1_000), "later");
  assert.throws(() => bounded(() => JSON.parse("{"), 1_000), SyntaxError);
});

Deno.test("bounded() ends work that never returns", () => {
  for (const work of [() => /^(a+)+$/.test(`${"a".repeat(40)}!`), forever]) {
    assert.throws(() => bounded(work, 50), { code: "ERR_SCRIPT_EXECUTION_TIMEOUT" });
  }
  assert.equal(bounded(() => "still here", 1_000), "still here");
});

function forever(): never {
  for (;;) {
    // Until it is ended.
  }
}
