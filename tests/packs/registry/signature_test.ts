/** Signatures of schemas that were made to take long. */

import assert from "node:assert/strict";
import { type JsonSchema, signature } from "#packs";
import { usedMs } from "../../support/turns.ts";

function refs(count: number, $ref: (at: number) => string) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`p${at}`, { $ref: $ref(at) }]),
  );
}

function signatureOf(schema: unknown): string {
  return signature("p", { name: "t", description: "", inputSchema: schema as JsonSchema });
}

const long = `#/${"/".repeat(900_000)}`;
const branches = (items: unknown) => ({ anyOf: Array.from({ length: 12 }, () => items) });
const wide = { enum: Array.from({ length: 12 }, (_, at) => [`${at}`.repeat(40_000)]) };
const SCHEMAS: Record<string, object> = {
  "a long reference of thousands of arguments": {
    properties: refs(4_000, () => "#/y"),
    y: { $ref: long },
  },
  "a long reference in lists and choices": {
    properties: refs(4_000, () => "#/y"),
    y: { type: "array", items: branches({ allOf: [{ $ref: "#/z" }] }) },
    z: { $ref: long },
  },
  "one definition by thousands of spellings": {
    properties: refs(4_000, (at) => {
      return `#/${
        [..."abcdefghijkl"].map((letter, bit) => {
          return at >> bit & 1 ? `%${letter.charCodeAt(0).toString(16)}` : letter;
        }).join("")
      }`;
    }),
    abcdefghijkl: wide,
  },
  "stray signs": { properties: refs(4_000, (at) => `#/${at}${"%/".repeat(245)}`) },
  "thousands of types": {
    properties: refs(40, () => "#/y"),
    y: {
      type: Array.from({ length: 100_000 }, () => "object"),
      properties: refs(2_000, () => "#/y"),
    },
  },
};

for (const [name, schema] of Object.entries(SCHEMAS)) {
  Deno.test(`signature() takes little time and room: ${name}`, () => {
    const before = usedMs();
    const text = signatureOf({ type: "object", ...schema });
    assert.ok(usedMs() - before < 1_500, `${usedMs() - before} ms`);
    assert.ok(text.length < 120_000, `${text.length} characters`);
  });
}

Deno.test("signature() follows references as types do", () => {
  const properties = {
    a: { $ref: "#/%24defs/x" },
    b: { $ref: "#/$defs/list/1" },
    c: { $ref: "#anchor" },
    d: { $dynamicRef: "#anchor" },
    e: { $ref: "#/$defs/none" },
  };
  const $defs = { x: { type: "string" }, list: [{}, { type: "boolean" }] };
  const text = "p.t(a?: string, b?: boolean, c?: any, d?: any, e?: any)";
  assert.equal(signatureOf({ type: "object", properties, $defs }), text);
});
