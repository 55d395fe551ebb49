/** Schemas of results: the older SDK compiles those that pass, and refuses the others for a reason. */

import assert from "node:assert/strict";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { isObject, type JsonObject } from "#base";
import { isCompilable } from "../../../../gateway/mcp/direct/output_schema.ts";

function compile(schema: JsonObject): void {
  new AjvJsonSchemaValidator().getValidator(structuredClone(schema));
}

const property = (schema: JsonObject): JsonObject => ({
  type: "object",
  properties: { a: schema },
});
const definitions = (count: number, inner: (next: JsonObject) => JsonObject): JsonObject => ({
  type: "object",
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `d${at}`,
      inner({ $ref: `#/$defs/d${(at + 1) % count}` }),
    ]),
  ),
});

const SOUND: readonly JsonObject[] = [
  { type: "object" },
  property({ type: ["string", "null"], pattern: "^[a-z]+$", format: "email", maxLength: 5 }),
  property({ anyOf: [{ $ref: "#" }, { type: "null" }], default: null, title: "A" }),
  property({ type: "array", items: [{ enum: [1, "x", null] }, true], uniqueItems: true }),
  { ...property({ $ref: "#/$defs/x~1y" }), $defs: { "x/y": { const: 5 } }, required: ["a"] },
  { type: "object", properties: JSON.parse('{"__proto__": {}, "constructor": {"not": {}}}') },
  {
    type: "object",
    patternProperties: { "^x-": { multipleOf: 0.5 } },
    additionalProperties: false,
  },
  definitions(190, (next) => ({ not: next })),
];

const REFUSED: Readonly<Record<string, JsonObject>> = {
  "a pattern of another language": property({ pattern: "(?i)x" }),
  "a pattern that does not end": property({ not: { pattern: "(" } }),
  "a definition that is missing": property({ $ref: "#/$defs/Missing" }),
  "an address elsewhere": property({ $ref: "https://example.com/a.json" }),
  "an odd type": property({ type: "text" }),
  "a bound that is a text": property({ minimum: "1" }),
  "a bound of an old dialect": property({ exclusiveMinimum: true }),
  "no values": property({ enum: [] }),
  "a name of an old dialect": property({ id: "a" }),
  "null for a schema": { type: "object", properties: { a: null } },
  "a format as a bound": property({ formatMinimum: "2025-01-01" }),
  "null without a type": property({ nullable: true }),
  "a chain of definitions": definitions(100, (next) => {
    let inner = next;
    for (let level = 0; level < 15; level++) inner = { not: inner };
    return inner;
  }),
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
  const patterns = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`a${at}`, { pattern: `[${at}]` }]),
  );
  for (const properties of [{ deep }, wide, patterns]) {
    assert.ok(isObject(properties));
    assert.equal(isCompilable({ type: "object", properties }), false);
  }
});
