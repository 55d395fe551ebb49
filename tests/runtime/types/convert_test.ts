/** What each kind of schema is as a type, seen in the generated text. */

import assert from "node:assert/strict";
import { generatorOf, packOf } from "../../support/generated.ts";

/** The type of a property `x` with this schema, in arguments or in a result. */
function typeOf(schema: unknown, at: "input" | "output" = "input"): string {
  const whole = { type: "object", properties: { x: schema }, required: ["x"] };
  const tool = at === "input" ? { inputSchema: whole } : { outputSchema: whole };
  const text = generatorOf([packOf("p", [tool])]).file("types/p.ts") ?? "";
  const match = /\n {2}x: ([^]*?);\n\}/.exec(text)?.[1] ?? text;
  return match.replace(/\s+/g, " ");
}

/** The generated text of a tool. */
function textOf(tool: Record<string, unknown>): string {
  return generatorOf([packOf("p", [tool])]).file("types/p.ts") ?? "";
}

const OBJECT = { type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] };
const ROWS: [name: string, schema: unknown, type: string][] = [
  ["string", { type: "string" }, "string"],
  ["integer", { type: "integer" }, "number"],
  ["several types", { type: ["string", "null", "integer"] }, "string | null | number"],
  ["nullable", { type: "string", nullable: true }, "string | null"],
  ["enum", { type: "string", enum: ["a", "b-c", "a"] }, '"a" | "b-c"'],
  ["mixed enum", { enum: [1, -2, true, null, "x"] }, '1 | -2 | true | null | "x"'],
  ["const", { const: "a" }, '"a"'],
  ["array", { type: "array", items: { type: "string" } }, "string[]"],
  [
    "array of unions",
    { type: "array", items: { type: ["string", "null"] } },
    "(string | null)[]",
  ],
  ["array of anything", { type: "array" }, "unknown[]"],
  ["items alone", { items: { type: "number" } }, "number[]"],
  [
    "tuple",
    { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 1 },
    "[string, number?, ...unknown[]]",
  ],
  [
    "older tuple",
    { type: "array", items: [{ type: "string" }], additionalItems: false, minItems: 1 },
    "[string]",
  ],
  ["object", OBJECT, "{ a: string; b?: unknown; }"],
  ["open object", { type: "object" }, "{ [key: string]: any }"],
  [
    "map",
    { type: "object", additionalProperties: { type: "number" } },
    "{ [key: string]: number }",
  ],
  ["closed", { type: "object", additionalProperties: false }, "{ [key: string]: never }"],
  [
    "open beside names",
    { ...OBJECT, additionalProperties: { type: "number" } },
    "{ a: string; b?: unknown; [key: string]: any; }",
  ],
  [
    "required and not described",
    { type: "object", properties: {}, required: ["q"] },
    "{ q: unknown; [key: string]: any; }",
  ],
  [
    "quoted names",
    { properties: { "a-b": {}, new: {} } },
    '{ "a-b"?: unknown; "new"?: unknown; }',
  ],
  ["anyOf", { anyOf: [{ type: "string" }, { type: "number" }] }, "string | number"],
  ["anyOf with anything", { anyOf: [{ type: "string" }, {}] }, "unknown"],
  ["limits in anyOf", { type: "string", anyOf: [{ minLength: 1 }, { format: "x" }] }, "string"],
  [
    "allOf",
    { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
    "{ a?: unknown; } & { b?: unknown; }",
  ],
  ["if and then", { properties: { a: {} }, then: {} }, "{ a?: unknown; [key: string]: any; }"],
  ["true", true, "unknown"],
  ["false", false, "never"],
  ["nothing", {}, "unknown"],
];

Deno.test("a schema becomes the equivalent type", async (t) => {
  for (const [name, schema, type] of ROWS) {
    await t.step(name, () => assert.equal(typeOf(schema), type));
  }
});

Deno.test("parts that a schema does not define are `any` in a result", () => {
  assert.equal(typeOf({}, "output"), "any");
  assert.equal(typeOf({ type: "array" }, "output"), "any[]");
  assert.equal(typeOf({ $ref: "https://example.com/x.json" }, "output"), "any");
  assert.match(
    textOf({ outputSchema: true }),
    /tool\(args\?: ToolArgs, options\?: CallOptions\): Promise<any>;/,
  );
  assert.match(textOf({}), /tool\(args\?: ToolArgs, options\?: CallOptions\): Promise<any>;/);
});

Deno.test("arguments are optional when none is required, and always an object", async (t) => {
  const open = /interface ToolArgs \{ \[key: string\]: any \}/;
  const rows: [name: string, schema: unknown, optional: boolean, text: RegExp][] = [
    ["none", { type: "object", properties: {} }, true, open],
    ["no schema", undefined, true, open],
    ["a string", { type: "string" }, true, open],
    ["one required", { properties: { a: {} }, required: ["a"] }, false, /a: unknown;/],
    [
      "one of two forms",
      { oneOf: [{ properties: { a: {} }, required: ["a"] }, { properties: { b: {} } }] },
      true,
      /type ToolArgs = \{/,
    ],
    [
      "a reference",
      { $ref: "#/$defs/x", $defs: { x: { properties: { a: {} }, required: ["a"] } } },
      false,
      /type ToolArgs = ToolArgs_X;/,
    ],
  ];
  for (const [name, inputSchema, optional, expected] of rows) {
    await t.step(name, () => {
      const text = textOf({ inputSchema });
      assert.match(
        text,
        optional
          ? /tool\(args\?: ToolArgs, options\?: CallOptions\)/
          : /tool\(args: ToolArgs, options\?: CallOptions\)/,
      );
      assert.match(text, expected);
    });
  }
});

Deno.test("local references are named types, also when they come back to themselves", () => {
  const inputSchema = {
    properties: { root: { $ref: "#/$defs/tree-node" }, again: { $ref: "#/definitions/a~1b" } },
    $defs: {
      "tree-node": { type: "object", properties: { next: { $ref: "#/$defs/tree-node" } } },
    },
    definitions: { "a/b": { enum: ["x"] } },
  };
  const text = textOf({ inputSchema });
  assert.match(text, /root\?: ToolArgs_TreeNode;\n {2}again\?: ToolArgs_AB;/);
  assert.match(text, /interface ToolArgs_TreeNode \{\n {2}next\?: ToolArgs_TreeNode;\n\}/);
  assert.match(text, /type ToolArgs_AB = "x";/);
});

Deno.test("descriptions and limits are comments", () => {
  const x = {
    type: "integer",
    description: " How many.\n\n\nAt most @five */ ok? ",
    default: 3,
    minimum: 1,
    maximum: 5,
    deprecated: true,
  };
  const text = textOf({ description: "Does it", inputSchema: { properties: { x } } });
  assert.match(text, / {2}\/\*\* Does it \*\/\n {2}tool\(/);
  const lines = [
    "  /**",
    "   * How many.",
    "   *",
    "   * At most \\@five *\\/ ok?",
    "   * @deprecated",
    "   * @default 3",
    "   * @minimum 1",
    "   * @maximum 5",
    "   */",
    "  x?: number;",
  ];
  assert.ok(text.includes(lines.join("\n")), text);
});
