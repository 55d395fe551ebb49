import assert from "node:assert/strict";
import { percentile, summarize } from "../../bench/measure.ts";
import { formatTable } from "../../bench/table.ts";

Deno.test("percentile() gives a value that was measured, whatever the order", () => {
  const values = [5, 1, 4, 2, 3];
  assert.equal(percentile(values, 0), 1);
  assert.equal(percentile(values, 0.5), 3);
  assert.equal(percentile(values, 0.95), 5);
  assert.equal(percentile([7], 0.5), 7);
  assert.throws(() => percentile([], 0.5), RangeError);
});

Deno.test("summarize() leaves its values as they were", () => {
  const values = [3, 1, 2];
  assert.deepEqual(summarize(values), { runs: 3, min: 1, median: 2, p95: 3 });
  assert.deepEqual(values, [3, 1, 2]);
});

Deno.test("formatTable() aligns the columns and shows single values once", () => {
  const spread = { runs: 100, min: 2.345, median: 10.04, p95: 123.4 };
  const table = formatTable(
    new Map([
      ["Runs", [{ what: "one", unit: "ms", ...spread, ratio: 70.5 }]],
      ["Module", [{ what: "size", unit: "kB", runs: 1, min: 5, median: 5, p95: 5 }]],
    ]),
  );
  assert.deepEqual(table.split("\n"), [
    "        runs   min  median  p95  unit  ratio",
    "",
    "Runs",
    "  one    100  2.35    10.0  123    ms  70.5×",
    "",
    "Module",
    "  size     1          5.00         kB",
  ]);
});
