import assert from "node:assert/strict";
import { argumentCheck, type JsonSchema } from "#packs";

const SEARCH: JsonSchema = {
  type: "object",
  properties: {
    query: { type: "string" },
    limit: { type: "integer", minimum: 1 },
    sort: { enum: ["asc", "desc"] },
    filter: { type: "object", properties: { tag: { type: "string" } }, required: ["tag"] },
  },
  required: ["query"],
  additionalProperties: false,
};

const ROWS: { name: string; args: Record<string, unknown>; want: RegExp | null }[] = [
  { name: "right arguments", args: { query: "x", limit: 2 }, want: null },
  { name: "a missing one", args: {}, want: /argument "query" is missing/ },
  { name: "a wrong type", args: { query: 5 }, want: /argument "query": .*string/ },
  { name: "out of range", args: { query: "x", limit: 0 }, want: /argument "limit"/ },
  { name: "not in the enum", args: { query: "x", sort: "up" }, want: /argument "sort"/ },
  {
    name: "an unknown one",
    args: { query: "x", limt: 1 },
    want: /"limt" is not known, did you mean "limit"/,
  },
  { name: "a nested one", args: { query: "x", filter: {} }, want: /"filter.tag" is missing/ },
];

Deno.test("argumentCheck() names each wrong argument", async (t) => {
  const check = argumentCheck(SEARCH);
  for (const { name, args, want } of ROWS) {
    await t.step(name, () => {
      const problems = check(args as never).map(({ message }) => message).join("; ");
      if (want === null) assert.equal(problems, "");
      else assert.match(problems, want);
    });
  }
});

Deno.test("argumentCheck() is bounded whatever the schema says", async (t) => {
  const hostile: [string, JsonSchema, unknown][] = [
    [
      "a catastrophic pattern",
      { properties: { a: { pattern: "^(a+)+$" } } },
      "a".repeat(5e4) + "!",
    ],
    [
      "a catastrophic pattern of an argument that is called as a keyword",
      { properties: { default: { pattern: "^(a+)+$" } } },
      "a".repeat(40) + "!",
    ],
    ["uniqueItems over many", { properties: { a: { uniqueItems: true } } }, Array(2e5).fill(1)],
    ["a schema that refers to itself", { properties: { a: { $ref: "#/properties/a" } } }, "x"],
    ["a remote reference", { properties: { a: { $ref: "http://127.0.0.1:1/x" } } }, "x"],
    ["nonsense", { type: 7, properties: "no", required: { a: 1 } } as never, "x"],
  ];
  for (const [name, schema, value] of hostile) {
    await t.step(name, () => {
      const since = performance.now();
      const check = argumentCheck(schema);
      for (const size of [undefined, 40]) {
        check({ a: value as never, default: value as never }, size);
      }
      assert.ok(performance.now() - since < 60_000, "it hangs");
    });
  }
});

Deno.test("argumentCheck() still applies a harmless pattern", () => {
  const check = argumentCheck({ properties: { a: { type: "string", pattern: "^[a-z]+$" } } });
  assert.deepEqual(check({ a: "abc" }), []);
  assert.equal(check({ a: "ABC" }).length, 1);
});

Deno.test("argumentCheck() reads a bounded number of patterns", async (t) => {
  const names = Array.from({ length: 1_900 }, (_, at) => `p${at}`);
  const wide = (at: number) => `${"\\P{L}".repeat(78)}${at}`;
  const each = names.map((name, at) => [name, { type: "string", pattern: wide(at) }]);
  const same = names.map((name) => [name, { type: "string", pattern: "^[a-z]+$" }]);
  const keys = names.map((name, at) => [name, { patternProperties: { [wide(at)]: false } }]);
  const args = Object.fromEntries(names.map((name) => [name, "A"]));
  const problemsOf = (properties: readonly unknown[][], args: unknown) =>
    argumentCheck({ properties: Object.fromEntries(properties) })(args as never);
  await t.step("of many, the first count", () => {
    assert.equal(problemsOf(each, { p0: "A" }).length, 1);
    assert.deepEqual(problemsOf(each, { p1899: "A" }), []);
  });
  await t.step("as names of properties, too", () => {
    const odd = { ["1".repeat(78) + "1899"]: 1 };
    assert.deepEqual(problemsOf(keys, { p1899: odd }), []);
    assert.notDeepEqual(problemsOf(keys, { p0: { ["1".repeat(78) + "0"]: 1 } }), []);
  });
  await t.step("one that is used often counts once", () => {
    assert.equal(problemsOf(same, args).length, 10);
    assert.equal(problemsOf(same, { p1899: "A" }).length, 1);
  });
  await t.step("no argument is a pattern", () => {
    assert.deepEqual(problemsOf([["a", { type: "string", format: "regex" }]], { a: "(" }), []);
    assert.equal(problemsOf([["a", { type: "string", format: "date" }]], { a: "(" }).length, 1);
  });
});

Deno.test("argumentCheck() refuses arguments over which the check itself fails", async (t) => {
  const nested: JsonSchema = {
    properties: { filter: { type: "object", properties: {}, additionalProperties: false } },
  };
  const rows: JsonSchema = {
    properties: { list: { type: "array", items: { required: ["sql"], properties: {} } } },
  };
  const cases: [name: string, schema: JsonSchema, args: unknown][] = [
    ["a name of half a character", SEARCH, { query: 5, "\ud800": 1 }],
    ["one in an object", nested, { filter: { "a\udc00": 1 } }],
    ["ever so many errors", rows, { list: Array.from({ length: 200_000 }, () => ({})) }],
  ];
  for (const [name, schema, args] of cases) {
    await t.step(name, () => {
      assert.match(refusalOf(schema, args), /cannot be checked|It took longer/);
    });
  }
});

/** First problem, or why the check was given up, as on a busy machine. */
function refusalOf(schema: JsonSchema, args: unknown): string {
  try {
    return argumentCheck(schema)(args as never)[0]?.message ?? "";
  } catch (error) {
    return String(error);
  }
}

Deno.test("argumentCheck() lets a call pass where the schema itself cannot be used", async (t) => {
  const schemas: Record<string, JsonSchema> = {
    "nonsense": { type: 7, properties: "no", required: { a: 1 } } as never,
    "an unresolvable reference": { properties: { a: { $ref: "#/$defs/nowhere" } } },
  };
  for (const [name, schema] of Object.entries(schemas)) {
    await t.step(name, () => assert.deepEqual(argumentCheck(schema)({ a: "x" }), []));
  }
});
