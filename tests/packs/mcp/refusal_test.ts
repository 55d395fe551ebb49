import assert from "node:assert/strict";
import { showRefusal } from "../../../packs/mcp/call/questions.ts";

Deno.test("showRefusal() counts addresses before it looks at them", () => {
  const untouched = new Proxy({}, {
    get: () => assert.fail("read"),
    ownKeys: () => assert.fail("read"),
  });
  const data = { elicitations: Array(17).fill(untouched) };
  const refusal = { kind: "rpc" as const, code: -32_042, message: "m", data };
  assert.throws(() => showRefusal(refusal, "s"), /it asks 17 questions at once: at most 16/);
});
