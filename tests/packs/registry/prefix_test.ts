import assert from "node:assert/strict";
import { resolvePrefixes } from "#packs";

function schema(...names: string[]) {
  return { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) };
}

const ROWS = [
  { name: "an exact name stays", names: ["query"], args: { query: "t" }, want: { query: "t" } },
  { name: "a prefix is written out", names: ["query"], args: { q: "t" }, want: { query: "t" } },
  {
    name: "the first in signature order wins",
    names: ["query_info", "query", "quality"],
    args: { q: "t" },
    want: { query_info: "t" },
  },
  {
    name: "an only match",
    names: ["query_info", "query", "quality"],
    args: { qual: "t" },
    want: { quality: "t" },
  },
  { name: "no match passes through", names: ["query"], args: { xyz: 1 }, want: { xyz: 1 } },
  {
    name: "exact beside prefix",
    names: ["query", "count"],
    args: { query: "t", c: 5 },
    want: { query: "t", count: 5 },
  },
  {
    name: "a filled parameter is not matched again",
    names: ["query", "quality"],
    args: { query: "t", q: 1 },
    want: { query: "t", quality: 1 },
  },
  {
    name: "two abbreviations take two names",
    names: ["query", "quality"],
    args: { q: 1, qu: 2 },
    want: { query: 1, quality: 2 },
  },
  {
    name: "an empty name is not everything's prefix",
    names: ["a"],
    args: { "": 1 },
    want: { "": 1 },
  },
];

Deno.test("resolvePrefixes() writes abbreviated parameter names out", async (t) => {
  for (const { name, names, args, want } of ROWS) {
    await t.step(name, () => {
      assert.deepEqual({ ...resolvePrefixes(args as never, schema(...names)) }, want);
    });
  }
});

Deno.test("resolvePrefixes() takes required parameters before optional ones", () => {
  const required = { ...schema("query_info", "query"), required: ["query"] };
  assert.deepEqual({ ...resolvePrefixes({ q: 1 }, required) }, { query: 1 });
});

Deno.test("resolvePrefixes() keeps __proto__ as data", () => {
  const args = JSON.parse('{"__proto__": {"polluted": true}}');
  const resolved = resolvePrefixes(args, schema("query"));
  assert.equal(JSON.stringify(resolved), '{"__proto__":{"polluted":true}}');
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});
