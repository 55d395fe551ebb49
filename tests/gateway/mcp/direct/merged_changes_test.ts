import { deepEqual, ok } from "node:assert/strict";
import { mergeChanges } from "../../../../gateway/mcp/direct/merged_changes.ts";
import { delay } from "../../../support/gateway.ts";

Deno.test("mergeChanges() passes a flood of one change on a few times", async () => {
  const told: string[] = [];
  using changes = mergeChanges((change) => told.push(JSON.stringify(change)), 20);
  for (let n = 0; n < 10_000; n++) changes.add({ kind: "resource", uri: "a" });
  changes.add({ kind: "prompts" });
  deepEqual(told, ['{"kind":"resource","uri":"a"}', '{"kind":"prompts"}']);
  while (told.length < 3) await delay(5);
  await delay(60);
  deepEqual(told.slice(2), ['{"kind":"resource","uri":"a"}'], "the last change is told");
  changes.add({ kind: "prompts" });
  ok(told.length === 4, "a later change is told at once");
});
