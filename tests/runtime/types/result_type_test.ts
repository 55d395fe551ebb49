import assert from "node:assert/strict";
import { nameTools, type ToolEntry } from "#packs";
import { resultFields, resultType } from "../../../runtime/types/result_type.ts";
import { readCorpus } from "../../support/corpus.ts";

const MANY = Array.from({ length: 60 }, (_, index) => `field_number_${index}`);

function tool(outputSchema: unknown): ToolEntry {
  const spec = { name: "get", description: "", inputSchema: { type: "object" }, outputSchema };
  const { entries } = nameTools([{ name: "shop", source: "proxy:shop", tools: [spec as never] }]);
  const [entry] = entries;
  assert.ok(entry);
  return entry;
}

function object(names: readonly string[], type: unknown = { type: "string" }): object {
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, type])),
    required: names,
  };
}

const ROWS: [name: string, schema: unknown, text: string][] = [
  ["an object", object(["id", "title"]), "{ id: string; title: string }"],
  [
    "what may be missing",
    { type: "object", properties: { id: { type: ["integer", "null"] } } },
    "{ id?: number | null }",
  ],
  [
    "a list below a reference",
    {
      type: "object",
      properties: { rows: { type: "array", items: { $ref: "#/$defs/Row" } } },
      required: ["rows"],
      $defs: { Row: object(["id"]) },
    },
    "{ rows: { id: string }[] }",
  ],
  [
    "a list of choices",
    { type: "array", items: { enum: ["a", "b", null] } },
    '("a" | "b" | null)[]',
  ],
  [
    "a list of either, below a reference",
    {
      type: "array",
      items: { $ref: "#/$defs/Either" },
      $defs: { Either: { anyOf: [object(["a"]), object(["b"])] } },
    },
    "({ a: string } | { b: string })[]",
  ],
  [
    "more choices than fit",
    { enum: Array.from({ length: 20 }, (_, index) => index) },
    "0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | … 8 more",
  ],
  ["a map", { additionalProperties: { type: "number" }, type: "object" }, "Record<string, number>"],
  [
    "a name that is none, and characters that are not seen",
    object(["a b", "c\u202e"]),
    '{ "a b": string; "c\\u202e": string }',
  ],
  [
    "itself",
    {
      $ref: "#/$defs/Node",
      $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } },
    },
    `${"{ next?: ".repeat(8)}{ … }${" }".repeat(8)}`,
  ],
  [
    "a list of itself",
    { $ref: "#/$defs/A", $defs: { A: { type: "array", items: { $ref: "#/$defs/A" } } } },
    `…${"[]".repeat(8)}`,
  ],
  [
    "too many properties below",
    object(["rows"], { type: "array", items: object(MANY) }),
    `{ rows: { ${MANY.slice(0, 8).map((name) => `${name}: string`).join("; ")}; … }[] }`,
  ],
];

Deno.test("resultType() writes an output schema in one line", async (t) => {
  for (const [name, schema, text] of ROWS) {
    await t.step(name, () => {
      assert.deepEqual(resultType(tool(schema)), { text, origin: "declared" });
    });
  }
});

Deno.test("resultType() takes what was learned only where nothing is declared", () => {
  const learned = () => ({ root: { kind: "primitive", name: "number" }, definitions: [] }) as const;
  assert.deepEqual(resultType(tool(undefined), learned), { text: "number", origin: "learned" });
  assert.equal(resultType(tool({ type: "string" }), learned).text, "string");
  assert.deepEqual(resultType(tool(undefined)), { text: "any", origin: "none" });
  assert.deepEqual(resultType(tool({})), { text: "any", origin: "none" });
});

Deno.test("resultFields() names the fields, the outer ones first", () => {
  const Node = {
    type: "object",
    properties: { next: { $ref: "#/$defs/Node" }, label: { type: "string" } },
  };
  const schema = {
    type: "object",
    properties: {
      rows: { type: "array", items: { anyOf: [{ $ref: "#/$defs/Node" }, object(["sku"])] } },
      total: { type: "number" },
    },
    $defs: { Node },
  };
  assert.deepEqual(resultFields(tool(schema)), ["rows", "total", "sku", "next", "label"]);
  assert.equal(resultFields(tool(object(MANY))).length, 40);
  assert.deepEqual(resultFields(tool(undefined)), []);
});

Deno.test("resultType() keeps every type of public servers within 300 characters", async () => {
  const { entries } = nameTools(await readCorpus());
  const types = entries.map((entry) => resultType(entry)).filter(({ origin }) => origin !== "none");
  assert.ok(types.length > 50, String(types.length));
  for (const { text } of types) {
    assert.ok(text.length <= 300 && !/\n|undefined|\[object/.test(text), text);
    assert.notEqual(text, "{ … }");
  }
});
