import assert from "node:assert/strict";
import { Recent } from "../../runtime/recent.ts";

Deno.test("Recent remembers the latest entries, and no long texts", () => {
  const recent = new Recent<number>();
  recent.set("kept", 0);
  for (let n = 1; n <= 300; n++) {
    recent.set(`key ${n}`, n);
    assert.equal(recent.get("kept"), 0);
  }
  assert.equal(recent.get("key 1"), undefined);
  assert.equal(recent.get("key 300"), 300);
  recent.set("x".repeat(20_000), 1);
  assert.equal(recent.get("x".repeat(20_000)), undefined);
  recent.clear();
  assert.equal(recent.get("kept"), undefined);
});
