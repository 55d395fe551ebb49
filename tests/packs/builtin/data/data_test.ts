/** The `data` pack. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { isLarge, type JsonObject, type JsonValue } from "#base";
import { createRegistry } from "#packs";
import { openBuiltin } from "../../../support/builtin.ts";

const ROWS = [{ a: 1, b: 'x|y\n"z"', c: null }, { a: 2, b: "", c: [1] }];
const DEEP = "[".repeat(100_000) + "]".repeat(100_000);
const BOMB = ["a: &a [x, x, x, x, x, x, x, x, x]"].concat(
  [..."bcdefghijk"].map((name, at) =>
    `${name}: &${name} [${Array(9).fill(`*${"abcdefghij"[at]}`).join(", ")}]`
  ),
).join("\n");
const OWN_PROTO = JSON.parse('{"__proto__": {"x": 1}}') as JsonObject;

/** Tool, arguments, value. */
const GIVES: readonly (readonly [string, JsonObject, JsonValue])[] = [
  ["parse", { text: "\uFEFFname,n,code\nAna,4,007\n" }, [{ name: "Ana", n: 4, code: "007" }]],
  ["parse", { text: 'a,b\n"x ""y""\nz",true\n' }, [{ a: 'x "y"\nz', b: true }]],
  ["parse", { text: "a,a,\n1,2,3", format: "csv" }, [{ a: 1, a_2: 2, column_3: 3 }]],
  ["parse", { text: "1;2\n3;4", header: false, typed: false }, [["1", "2"], ["3", "4"]]],
  ["parse", { text: "a\tb\n1\t2" }, [{ a: 1, b: 2 }]],
  ["parse", { text: "// c\n{a: 1, /* x */ b: [1,],}" }, { a: 1, b: [1] }],
  ["parse", { text: '{"a":1}\n{"a":2}\n' }, [{ a: 1 }, { a: 2 }]],
  ["parse", { text: "a: &x {b: 0x10}\nc: *x\n<<: *x\nd: 2026-01-01\ne: no" }, {
    a: { b: 16 },
    c: { b: 16 },
    b: 16,
    d: "2026-01-01",
    e: "no",
  }],
  ["parse", { text: "a: 1\n---\nb: 2" }, [{ a: 1 }, { b: 2 }]],
  ["parse", { text: "a: !!js/function 'x'" }, { a: "x" }],
  ["parse", { text: "[t]\nd = 2026-11-22T10:00:00Z\nl = 10:00:00\nn = 9223372036854775807" }, {
    t: { d: "2026-11-22T10:00:00.000Z", l: "10:00:00.000", n: "9223372036854775807" },
  }],
  ["parse", { text: '{"__proto__": {"x": 1}}' }, OWN_PROTO],
  ["parse", { text: "__proto__: {x: 1}" }, OWN_PROTO],
  ["parse", { text: "[__proto__]\nx = 1" }, OWN_PROTO],
  ["parse", { path: "utf16.csv" }, [{ a: "ä" }]],
  ["query", { query: "$..n", value: { a: { n: 1 }, b: [{ n: 2 }] }, paths: true }, [
    { path: "$['a']['n']", value: 1 },
    { path: "$['b'][0]['n']", value: 2 },
  ]],
  ["query", { query: "$[?@.a > 1].b", value: ROWS }, [""]],
  ["query", { query: "$..*", value: [1, 2, 3], limit: 2 }, [1, 2]],
  ["query", { query: "[?a > `1`] | length(@)", value: ROWS }, 1],
  ["query", { query: "constructor", value: {} }, null],
  ["query", { query: "a.__proto__", value: { a: {} } }, null],
  ["query", { query: "$.a.constructor", value: { a: {} } }, []],
  ["diff", { before: { a: 1, "x y": [1, 2] }, after: { "x y": [1], a: 1, n: null } }, {
    equal: false,
    changes: [
      { kind: "removed", path: '$["x y"][1]', before: 2 },
      { kind: "added", path: "$.n", after: null },
    ],
    added: 1,
    removed: 1,
    changed: 0,
    has_more: false,
  }],
  [
    "diff",
    { before: [{ id: 1, v: 1 }, { id: 2 }], after: [{ id: 2 }, { id: 1, v: 2 }], key: "id" },
    {
      equal: false,
      changes: [{ kind: "changed", path: "$[?@.id==1].v", before: 1, after: 2 }],
      added: 0,
      removed: 0,
      changed: 1,
      has_more: false,
    },
  ],
  [
    "table",
    { value: [{ n: "a|b\\\n<i>", v: 1 }, { n: "日本", v: null, x: { y: 1 } }] },
    "| n                |  v | x       |\n| :--------------- | -: | :------ |\n" +
    '| a\\|b\\\\<br>&lt;i> |  1 |         |\n| 日本             |    | {"y":1} |\n',
  ],
  ["table", { value: ROWS, as: "csv", columns: ["c", "a"] }, "c,a\n,1\n[1],2\n"],
  ["schema", { value: [{ id: 1, t: [] }, { id: 2.5, t: null }] }, {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "array",
    items: {
      type: "object",
      properties: { id: { type: "number" }, t: { type: ["array", "null"], items: {} } },
      required: ["id", "t"],
    },
  }],
  ["validate", { value: { age: "41" }, schema: { properties: { age: { type: "integer" } } } }, {
    valid: false,
    errors: [{ path: "/age", message: 'Instance type "string" is invalid. Expected "integer"' }],
  }],
];
const FAILS: readonly (readonly [string, JsonObject, RegExp])[] = [
  ["parse", {}, /pass one of/],
  ["parse", { text: "hello" }, /pass format/],
  ["parse", { text: '{"a":1,}x', format: "json" }, /not JSON.*line 1 column 8/],
  ["parse", { text: '{"a":1}\n{"a":}\n', format: "ndjson" }, /line 2 is not JSON/],
  ["parse", { text: "a: [1\nb: 2", format: "yaml" }, /not YAML.*line 2/],
  ["parse", { text: "a = \n", format: "toml" }, /not TOML.*line 1/],
  ["parse", { text: "a,b\n1,2,3", format: "csv" }, /row 2 has 3 cells/],
  ["parse", { text: BOMB, format: "yaml" }, /alias/],
  ["parse", { text: "a: &a [*a]", format: "yaml" }, /nested more than 500|alias/i],
  ["parse", { text: DEEP }, /nested more than 500/],
  ["parse", { text: DEEP, format: "json5" }, /nested/],
  ["parse", { text: `a = ${DEEP}`, format: "toml" }, /nested/],
  ["parse", { path: "large.json" }, /at most 1\.0 MB are given.*data\.query/],
  ["parse", { path: "huge.json" }, /"huge\.json" has 8\.0 MB, at most 4\.0 MB are read/],
  ["parse", { path: "/etc/passwd" }, /outside the allowed folders/],
  ["query", { query: "$[", value: {} }, /not JSONPath/],
  ["query", { query: "a[", value: {} }, /JSONPath begins with/],
  ["query", { query: "$[?match(@, '(a+)+b')]", value: ["a".repeat(60)] }, /longer than 2 s/],
  ["validate", { value: "a".repeat(60), schema: { pattern: "^(a+)+b$" } }, /longer than 2 s/],
  ["convert", { value: [1], to: "toml" }, /made of an object/],
  ["convert", { value: "中".repeat(1_500_000), to: "json" }, /has 4500002 bytes, at most 4194304/],
  ["table", { value: [1] }, /list of objects/],
  ["table", { value: ROWS, columns: ["z"] }, /no row has a column "z": there are a, b, c/],
];

Deno.test("data.*", async (t) => {
  await using stage = await openBuiltin("data", { max_mb: 4, max_result_mb: 1 });
  const { project } = stage;
  const large = JSON.stringify(
    Array.from({ length: 40_000 }, (_, id) => ({ id, name: `name ${id}` })),
  );
  await Deno.writeTextFile(join(project, "large.json"), large);
  await Deno.writeFile(join(project, "huge.json"), new Uint8Array(2 ** 23));
  const utf16 = new Uint8Array([0xff, 0xfe, ...[..."a\nä\n"].flatMap((c) => [c.charCodeAt(0), 0])]);
  await Deno.writeFile(join(project, "utf16.csv"), utf16);
  await using registry = createRegistry([stage.pack], { log: () => {} });
  const call = async (tool: string, args: JsonObject) =>
    (await registry.call(`data__${tool}`, args, {})).value;
  for (const [tool, args, value] of GIVES) {
    await t.step(`${tool}(${JSON.stringify(args).slice(0, 80)})`, async () => {
      assert.deepEqual(await call(tool, args), value);
    });
  }
  await using hasty = await openBuiltin("data", { timeout: 2 });
  for (const [tool, args, message] of FAILS) {
    await t.step(`${tool}(${JSON.stringify(args).slice(0, 80)}) fails`, async () => {
      const isLong = message.source.startsWith("longer");
      const failing = isLong ? hasty.pack.call(tool, args, {}) : call(tool, args);
      await assert.rejects(failing, { name: "PackError", message });
    });
  }
  for (const to of ["json", "json5", "ndjson", "yaml", "csv", "tsv"]) {
    await t.step(`convert() to ${to} and parse() give the same back`, async () => {
      const value = to.endsWith("sv") ? [{ a: 1, b: 'x|y\n"z"' }, { a: 2, b: "" }] : ROWS;
      const text = await call("convert", { value, to });
      assert.deepEqual(await call("parse", { text, format: to }), value);
    });
  }
  await t.step("convert() takes a real file to TOML and back", async () => {
    const imports = await Deno.readTextFile(
      new URL("../../../../import_map.json", import.meta.url),
    );
    const text = await call("convert", { text: imports, to: "toml" });
    assert.deepEqual(await call("parse", { text }), JSON.parse(imports));
  });
  await t.step("query() and schema() read a file that is too large to return", async () => {
    const result = await call("query", { query: "$[39999].name", path: "large.json" });
    assert.deepEqual(result, ["name 39999"]);
    const { items } = await call("schema", { path: "large.json" }) as JsonObject;
    assert.deepEqual((items as JsonObject).required, ["id", "name"]);
  });
});

Deno.test("data.parse() and query() give a large value that was read in pieces", async () => {
  await using stage = await openBuiltin("data", { max_result_mb: 1 });
  await using registry = createRegistry([stage.pack], { log: () => {} });
  const text = JSON.stringify([{ "__proto__\u0000": 1 }, ...Array(200_000).fill([])]);
  for (const [tool, query] of [["parse"], ["query", "@"]]) {
    const { value } = await registry.call(`data__${tool}`, { text, ...query && { query } }, {});
    assert.ok(isLarge(value));
    assert.deepEqual(value, JSON.parse(text));
  }
});
