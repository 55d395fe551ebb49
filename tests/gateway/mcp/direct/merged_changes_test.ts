import { deepEqual, ok } from "node:assert/strict";
import { mergeChanges } from "../../../../gateway/mcp/direct/merged_changes.ts";
import { delay } from "../../../support/gateway.ts";

Deno.test("mergeChanges() passes a flood of one change on a few times", async () => {
  const passed: string[] = [];
  using changes = mergeChanges((change) => passed.push(JSON.stringify(change)), 20);
  for (let n = 0; n < 10_000; n++) changes.add({ kind: "resource", uri: "a" });
  changes.add({ kind: "prompts" });
  deepEqual(passed, ['{"kind":"resource","uri":"a"}', '{"kind":"prompts"}']);
  while (passed.length < 3) await delay(5);
  await delay(60);
  deepEqual(passed.slice(2), ['{"kind":"resource","uri":"a"}'], "the last change is passed on");
  changes.add({ kind: "prompts" });
  ok(passed.length === 4, "a later change is passed on at once");
});
