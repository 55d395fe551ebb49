/** What runs saved, computed from rows whose sizes and times are known. */

import assert from "node:assert/strict";
import { createStatsReader, createStatsStore, type StatsData } from "#runtime/stats";
import type { CallRow, RunRow } from "../../../../runtime/stats/types.ts";

const START = Date.UTC(2026, 0, 5, 12);
/** Half a token for each byte, nearly. */
const TEXT = "a ".repeat(2_000);
const KINDS = ["tool:web.fetch", "program", "reply", "arguments", "tools:x"];

function run(fields: Partial<RunRow> & { readonly run: string }): RunRow {
  return {
    at: START,
    ms: 100,
    kind: "command",
    client: "agent",
    within: null,
    code: null,
    calls: 1,
    bytesIn: 100,
    bytesOut: 100,
    toolset: "tools:x",
    look: false,
    ...fields,
  };
}

function fetched(fields: Partial<CallRow>): CallRow {
  return {
    at: START,
    ms: 40,
    run: null,
    client: "agent",
    pack: "web",
    tool: "fetch",
    code: null,
    bytesIn: 20,
    bytesOut: 4_000,
    ...fields,
  };
}

async function computed(
  runs: readonly RunRow[],
  calls: readonly CallRow[],
  tool?: string,
): Promise<StatsData> {
  const folder = await Deno.makeTempDir();
  const options = { folder, now: () => START + 3_600_000, log: () => {} };
  const store = createStatsStore(options);
  store.write({
    runs,
    calls,
    toolsets: [{ id: "tools:x", tools: 9, bytes: 10_000, offered: 1_000 }],
  });
  store.close();
  await using reader = createStatsReader({ ...options, keepMs: () => Infinity });
  await reader.count(KINDS.map((kind) => ({ kind, text: TEXT })));
  const data = await reader.read({ period: "day", tool });
  await reader[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
  return data;
}

function near(value: number, expected: number): void {
  assert.ok(Math.abs(value - expected) <= 1, `${value} is not about ${expected}`);
}

Deno.test("context_saved is the tokens kept out, less those sent instead", async () => {
  const data = await computed([run({ run: "r1" })], [fetched({ run: "r1" })]);
  const perByte = data.savings.schemas / 9_000;
  assert.ok(perByte > 0.4 && perByte < 0.6, String(perByte));
  near(data.savings.calls, 4_020 * perByte);
  near(data.savings.runs, 200 * perByte);
  near(data.context_saved, (9_000 + 4_020 - 200) * perByte);
  assert.equal(data.savings.measured, 1);
});

Deno.test("definitions count once in a session of a client", async () => {
  const minutes = (count: number) => START + count * 60_000;
  const data = await computed([
    run({ run: "r1", at: minutes(0) }),
    run({ run: "r2", at: minutes(20) }),
    run({ run: "r3", at: minutes(55) }),
    run({ run: "r4", at: minutes(1), client: "other" }),
  ], []);
  assert.equal(data.savings.sessions, 3);
});

Deno.test("look-ups are cost, runs inside runs are part of them", async () => {
  const data = await computed(
    [run({ run: "r1" }), run({ run: "inner", within: "r1", bytesOut: 50_000 })],
    [
      fetched({ run: "r1", pack: "ot", tool: "help" }),
      fetched({ run: "r1", pack: "snippets", tool: "s" }),
      fetched({ run: "inner" }),
      fetched({ run: null, bytesOut: 9e6 }),
    ],
  );
  near(data.savings.calls, 4_020 * data.savings.schemas / 9_000);
  assert.equal(data.runs.total, 1);
  assert.equal(data.savings.turns, 0, "one run in place of one call");
});

Deno.test("time_saved_ms is turns not taken, and calls side by side", async () => {
  const gap = 6_000;
  const data = await computed(
    [run({ run: "r1" }), run({ run: "r2", at: START + 100 + gap })],
    [
      ...[0, 1, 2, 3].map(() => fetched({ run: "r1", ms: 50 })),
      fetched({ run: "r2", at: START + 100 + gap }),
    ],
  );
  assert.equal(data.savings.turn_ms, gap);
  assert.equal(data.savings.turns, 3);
  assert.equal(data.savings.overlap_ms, 150);
  assert.equal(data.time_saved_ms, 3 * gap + 150);
});

Deno.test("a tool's share, and that of a tool that saved nothing", async () => {
  const runs = [run({ run: "r1" })];
  const calls = [fetched({ run: "r1" }), fetched({ run: "r1", tool: "head", bytesOut: 0 })];
  const all = await computed(runs, calls);
  const one = await computed(runs, calls, "web.fetch");
  assert.equal(
    one.context_saved,
    all.tools.find(({ tool }) => tool === "web.fetch")?.context_saved,
  );
  assert.ok(one.context_saved > 1_500);
  const lost = await computed([run({ run: "r1", bytesOut: 90_000, toolset: null })], []);
  assert.equal(lost.context_saved, 0);
  assert.equal(lost.time_saved_ms, 0);
});

Deno.test("a report without records", async () => {
  const data = await computed([], []);
  assert.deepEqual(
    [data.total_calls, data.success_rate, data.context_saved, data.since, data.tools],
    [0, 100, 0, null, []],
  );
  assert.equal(data.buckets.length, 25);
});
