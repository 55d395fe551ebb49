/** Schemas of results: the older SDK compiles those that pass, and refuses the others for a reason. */

import assert from "node:assert/strict";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { JsonObject } from "#base";
import { isCompilable } from "../../../../gateway/mcp/direct/output_schema.ts";

function compile(schema: JsonObject): void {
  new AjvJsonSchemaValidator().getValidator(structuredClone(schema));
}

const property = (schema: JsonObject): JsonObject => ({
  type: "object",
  properties: { a: schema },
});

const SOUND: readonly JsonObject[] = [
  { type: "object" },
  property({ type: ["string", "null"], format: "email", maxLength: 5, title: "A" }),
  property({ anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }], default: null }),
  property({ type: "array", items: { enum: [1, "x", null] }, uniqueItems: true }),
  { ...property({ const: { $id: "a" } }), required: ["a"], additionalProperties: false },
  { type: "object", properties: JSON.parse('{"__proto__": {}, "constructor": {"not": {}}}') },
  { $schema: "https://json-schema.org/draft/2020-12/schema", ...property({ examples: [{}] }) },
];

const REFUSED: Readonly<Record<string, JsonObject>> = {
  "a pattern of another language": property({ pattern: "(?i)x" }),
  "a definition that is missing": property({ $ref: "#/$defs/Missing" }),
  "definitions that are each other": {
    type: "object",
    properties: { a: { $ref: "#/properties/b" }, b: { $ref: "#/properties/a" } },
  },
  "itself": { type: "object", allOf: [{ $ref: "#/allOf/0" }] },
  "an odd type": property({ type: "text" }),
  "a type that is a list": property({ type: [["string"]] }),
  "a bound that is a text": property({ minimum: "1" }),
  "a bound of an old dialect": property({ exclusiveMinimum: true }),
  "no values": property({ enum: [] }),
  "a name of an old dialect": property({ id: "a" }),
  "null for a schema": { type: "object", properties: { a: null } },
  "a format as a bound": property({ formatMinimum: "2025-01-01" }),
  "null without a type": property({ nullable: true }),
  "a part that is awaited": property({ type: "string", $async: true }),
  "two schemas of one name": { "type": "object", "x-a": { $id: "x", b: { $id: "x" } } },
  "an odd anchor": { "type": "object", "x-a": { $anchor: "a b" } },
  "an odd anchor in a title": { type: "object", title: { $anchor: "a b" } },
};

Deno.test("isCompilable() takes what the older SDK compiles", () => {
  for (const schema of SOUND) {
    compile(schema);
    assert.ok(isCompilable(schema), JSON.stringify(schema));
  }
});

for (const [name, schema] of Object.entries(REFUSED)) {
  Deno.test(`isCompilable() leaves out ${name}`, () => {
    assert.throws(() => compile(schema));
    assert.equal(isCompilable(schema), false);
  });
}

Deno.test("isCompilable() reads a schema within bounds", () => {
  let deep: JsonObject = {};
  for (let level = 0; level < 100; level++) deep = { not: deep };
  const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`a${at}`, {}]));
  for (const properties of [{ deep }, wide]) {
    assert.equal(isCompilable({ type: "object", properties }), false);
  }
});
