/** Small values that stand for one large text. */

import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import type { JsonValue } from "#base";
import { JobRefused } from "../../packs/jobs/protocol.ts";
import { createJobWorkers } from "../../packs/jobs/workers.ts";
import { read } from "../../packs/builtin/data/work/read.ts";
import { table } from "../../packs/builtin/data/work/table.ts";
import { limited, write, type WriteOptions } from "../../packs/builtin/data/work/write.ts";
import type { Format } from "../../packs/builtin/data/formats.ts";

const ALIASES = (length: number, times: number) =>
  `a: &a "${"x".repeat(length)}"\nb: [${Array(times).fill("*a").join(", ")}]\n`;

function readYaml(text: string): JsonValue {
  return read({ kind: "text", text, format: "yaml", rows: { typed: true, header: true } }).value;
}

Deno.test("YAML whose aliases stand for much text is refused", async (t) => {
  const key = `? &k ${"x".repeat(1_000)}\n: 1\n`;
  const maps = `a: &a {${"x".repeat(1_000)}: 1}\nb: &b [${Array(200).fill("*a")}]\n` +
    `c: [${Array(200).fill("*b")}]\n`;
  const HUGE_YAML = {
    "a text": ALIASES(100_000, 200),
    "a key": maps,
    "several documents": `${key}---\n${ALIASES(100_000, 200)}`,
  };
  for (const [name, text] of Object.entries(HUGE_YAML)) {
    await t.step(name, () => void throws(() => readYaml(text), { message: /aliases/ }));
  }
  const { b } = readYaml(ALIASES(100_000, 100)) as { b: string[] };
  deepEqual([b.length, b[99]?.length], [100, 100_000]);
  equal((readYaml(`a: "${"x".repeat(20_000_000)}"`) as { a: string }).a.length, 20_000_000);
});

Deno.test("a job's result that is over its limit is refused", async () => {
  const module = new URL("../../packs/builtin/text/work/worker.ts", import.meta.url);
  await using workers = createJobWorkers({ module, timeoutMs: 20_000, maxResult: 100_000 });
  const { signal } = new AbortController();
  const match = (limit: number) => {
    const input = {
      text: "a".repeat(1_000),
      pattern: "(?=(a*))",
      flags: "",
      literal: false,
      limit,
    };
    return workers.run<{ matches: unknown[] }>({ kind: "findAll", input }, {
      what: "match",
      signal,
      run: undefined,
    });
  };
  equal((await match(10)).matches.length, 10);
  await rejects(match(1_000), {
    name: "PackError",
    message: /^Cannot match: the result has over /,
  });
});

const below = (levels: number, inside: JsonValue): JsonValue =>
  levels === 0 ? inside : below(levels - 1, [inside]);
const named = (levels: number, name: string): JsonValue =>
  levels === 0 ? { x: 1 } : { [name]: named(levels - 1, name), y: 1 };

Deno.test("data that is over the limit as a text is refused", async (t) => {
  const maxBytes = 100_000;
  const far = below(400, Array(1_000).fill(0));
  const columns = Array.from({ length: 500 }, (_, at) => ({ [`c${at}`]: 1 }));
  const wide = [{ a: "x".repeat(1_000) }, ...Array(2_000).fill({ a: 1 })];
  const cases: readonly (readonly [string, JsonValue, Partial<WriteOptions> & { to: Format }])[] = [
    ["indented", far, { to: "json", indent: 10 }],
    ["indented, JSON5", far, { to: "json5", indent: 10 }],
    ["indented, YAML", far, { to: "yaml", indent: 10 }],
    ["lines of YAML", below(400, "x\n".repeat(500)), { to: "yaml", indent: 10 }],
    ["folded lines of YAML", below(400, "x ".repeat(10_000)), { to: "yaml", indent: 10 }],
    ["names of TOML", named(200, "k".repeat(1_000)), { to: "toml" }],
    ["many columns", columns, { to: "csv" }],
    ["many columns, tabs", columns, { to: "tsv" }],
  ];
  for (const [name, value, options] of cases) {
    const refused = { name: JobRefused.name, message: /has \d{6,8} bytes, at most 100000 are/ };
    await t.step(
      name,
      () => void throws(() => write(value, { indent: 2, maxBytes, ...options }), refused),
    );
  }
  for (const [name, value] of Object.entries({ "many columns": columns, "one wide cell": wide })) {
    await t.step(`a table: ${name}`, () => {
      const text = table(value, { as: "markdown", columns: [] });
      throws(() => limited(text, maxBytes), { message: /at most/ });
    });
  }
  const digits = Array(1_000).fill(1);
  equal(write(digits, { to: "json", indent: 0, maxBytes: 2_001 }).length, 2_001);
  equal(limited(table([{ a: 1 }], { as: "csv", columns: [] }), 4), "a\n1\n");
});
