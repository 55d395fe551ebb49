/** Small schemas without references take little, whatever is in them: they have no limit of time. */

import assert from "node:assert/strict";
import { isPlainSchema } from "#base";
import { inlineType } from "../../../runtime/types/inline.ts";
import { convertSchema } from "../../../runtime/types/convert.ts";
import { generatorOf, packOf } from "../../support/generated.ts";
import { usedMs } from "../../support/turns.ts";

const texts = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`);
/** A schema within so many others. */
const within = (levels: number, inner: object, around: (inner: object) => object): object =>
  levels === 0 ? inner : within(levels - 1, around(inner), around);

const SMALL: Record<string, object> = {
  "one name of a type many times": within(3, { enum: texts(450) }, (a) => ({
    type: Array(14).fill("object"),
    properties: { a },
  })),
  "all names of types": within(3, { enum: texts(90) }, (a) => ({
    type: ["object", "array", "string", "number", "boolean", "null", "integer"],
    properties: { a },
    items: a,
  })),
  "values again and again": {
    properties: Object.fromEntries(texts(20).map((name) => [name, { enum: texts(30) }])),
  },
  "lists of choices": within(5, { enum: texts(20) }, (a) => ({ anyOf: [a, { items: a }] })),
  "all of all": within(5, { enum: texts(20) }, (a) => ({ allOf: [a, { properties: { a } }] })),
};

for (const [name, schema] of Object.entries(SMALL)) {
  Deno.test(`a small schema takes little: ${name}`, () => {
    assert.ok(isPlainSchema(schema));
    const before = usedMs();
    const text = generatorOf([packOf("p", [{ inputSchema: schema, outputSchema: schema }])])
      .file("types/p.ts") ?? "";
    assert.match(text, /tool\(/);
    inlineType(convertSchema(schema), 4_000);
    assert.ok(usedMs() - before < 300, `${usedMs() - before} ms`);
  });
}
