import assert from "node:assert/strict";
import { isPlainSchema } from "#base";

Deno.test("isPlainSchema() tells small schemas without references from others", () => {
  const field = { type: "string", description: 'as "$ref" in text' };
  const plain = [{}, null, field, { $schema: "https://json-schema.org/draft-07/schema" }];
  for (const schema of plain) assert.ok(isPlainSchema({ inputSchema: schema }));
  const others = [
    { $ref: "#" },
    { properties: { a: { anyOf: [{ $dynamicRef: "#a" }] } } },
    { description: "x".repeat(8_000) },
    { enum: Array.from({ length: 3_000 }, () => 1) },
  ];
  for (const schema of others) assert.ok(!isPlainSchema({ inputSchema: schema }));
});
