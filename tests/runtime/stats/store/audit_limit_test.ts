/** Limit of the audit: refusals, which a program can cause without end, remove no other event. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createStatsReader, createStatsStore, readAudit } from "#runtime/stats";
import type { AuditKind, AuditRow } from "../../../../runtime/stats/audit/audit.ts";

const LIMIT = 100_000;

Deno.test("a flood of refusals leaves questions, answers and loans in the audit", async () => {
  const root = await Deno.makeTempDir();
  const folder = join(root, "stats");
  const log = () => {};
  const store = createStatsStore({ folder, now: Date.now, log });
  let at = Date.now() - 2 * LIMIT;
  const event = (kind: AuditKind, tool: string): AuditRow => ({
    at: at++,
    kind,
    tool,
    run: null,
    client: null,
    answer: null,
    from: null,
    code: null,
    details: null,
  });
  const write = (audit: AuditRow[]) => {
    assert.ok(store.write({ calls: [], runs: [], toolsets: [], audit }));
  };
  const kept = ["question", "answer", "loan"] as const;
  write(kept.map((kind) => event(kind, "early")));
  for (let round = 0; round < 10; round++) {
    write(Array.from({ length: LIMIT / 10 }, () => event("refusal", "flood")));
  }
  write([event("refusal", "last"), event("answer", "last")]);
  store.close();
  {
    await using reader = createStatsReader({ folder, now: Date.now, keepMs: () => Infinity, log });
    await reader.tidy();
  }
  const events = readAudit(folder, { most: 2 * LIMIT });
  const named = events.filter(({ tool }) => tool !== "flood").map(({ kind, tool }) => [kind, tool]);
  assert.deepEqual(named, [
    ...kept.map((kind) => [kind, "early"]),
    ["refusal", "last"],
    ["answer", "last"],
  ]);
  assert.equal(events.filter(({ kind }) => kind === "refusal").length, LIMIT);
  await Deno.remove(root, { recursive: true });
});
