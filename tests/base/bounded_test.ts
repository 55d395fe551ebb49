import assert from "node:assert/strict";
import { attempt, within } from "#base";
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

Deno.test("bounded() stops nothing that runs after work that ended just in time", async () => {
  let done = 0;
  const steps = async () => {
    for (let turn = 0; turn < 30; turn++) {
      await Promise.resolve();
      const end = performance.now() + 199.6 + turn % 5 / 5;
      attempt(() => bounded(() => spinUntil(end), 200));
      done++;
    }
  };
  await within(steps(), 60_000);
  assert.equal(done, 30);
});

function spinUntil(end: number): void {
  while (performance.now() < end) {
    // Works.
  }
}

function forever(): never {
  for (;;) {
    // Until it is ended.
  }
}
