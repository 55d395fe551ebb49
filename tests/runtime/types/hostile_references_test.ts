/** References that lead nowhere, or to one place by hundreds of ways, and schemas that take long. */

import assert from "node:assert/strict";
import { nameTools } from "#packs";
import { createModuleGenerator } from "#runtime";
import { convertSchema, inlineType } from "../../../runtime/types/mod.ts";
import { packOf } from "../../support/generated.ts";
import { longestTurn, usedMs } from "../../support/turns.ts";

const NOWHERE = `#/${"%/".repeat(249)}`;

/** Spellings of `#/$defs/abcdefgh`. */
function spellings(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const name = [..."abcdefgh"].map((letter, bit) => {
      return at >> bit & 1 ? `%${letter.charCodeAt(0).toString(16)}` : letter;
    });
    return `#/$defs/${name.join("")}`;
  });
}

function fields<T>(values: readonly T[]): Record<string, T> {
  return Object.fromEntries(values.map((value, at) => [`p${at}`, value]));
}

function many<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

/** A schema with many ways to one definition. */
function manyWays(abcdefgh: unknown) {
  const properties = fields(spellings(195).map(($ref) => ({ $ref })));
  return { type: "object", properties, $defs: { abcdefgh } };
}

const nowhere = { $ref: NOWHERE };
const PLACES: Record<string, unknown> = {
  properties: { properties: fields(many(14, nowhere)) },
  allOf: { allOf: many(14, nowhere) },
  "anyOf and oneOf": { anyOf: many(7, nowhere), oneOf: many(7, nowhere) },
  "nested items": { items: { items: { allOf: many(14, nowhere) } } },
  prefixItems: { prefixItems: many(14, nowhere) },
  maps: { type: "object", additionalProperties: { allOf: many(14, nowhere) } },
  "a reference to many": { $ref: "#/$defs/other", $defs: { other: {} }, allOf: many(14, nowhere) },
  "other keywords": {
    properties: fields(many(14, { ...nowhere, $dynamicRef: NOWHERE, $anchor: NOWHERE })),
    patternProperties: fields(many(14, nowhere)),
  },
};

for (const [name, schema] of Object.entries(PLACES)) {
  Deno.test(`references to nothing take no time: ${name}`, () => {
    const whole = manyWays(schema);
    const before = usedMs();
    const { definitions } = convertSchema(whole);
    assert.ok(usedMs() - before < 400, `${usedMs() - before} ms`);
    assert.equal(definitions.length, 1);
  });
}

Deno.test("a reference to nothing is resolved once, and one that is too long never", () => {
  for (const [$ref, most] of [["#/nowhere", 1], [`#/nowhere${"/".repeat(500)}`, 0]] as const) {
    let reads = 0;
    const properties = fields(many(1_000, { $ref }));
    const root = new Proxy({ type: "object", properties }, {
      getOwnPropertyDescriptor(target, key) {
        if (key === "nowhere") reads++;
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    });
    convertSchema(root);
    assert.equal(reads, most);
  }
});

Deno.test("names that are required and not described count as parts of a schema", () => {
  const required = Array.from({ length: 19_000 }, (_, at) => `n${at}`);
  const { definitions: [definition] } = convertSchema(manyWays({ type: "object", required }));
  assert.equal(definition?.type.kind, "object");
  const names = definition.type.kind === "object" ? definition.type.properties.length : 0;
  assert.ok(names <= 3_001, `${names}`);
});

Deno.test("inlineType() ends maps of themselves at the least depth", async (t) => {
  const $ref = "#/$defs/d";
  const rows: Record<string, unknown> = {
    map: { type: "object", additionalProperties: { $ref } },
    "map of maps": {
      type: "object",
      additionalProperties: { type: "object", additionalProperties: { $ref } },
    },
    "map of lists": { type: "object", additionalProperties: { type: "array", items: { $ref } } },
    "map of unions": {
      type: "object",
      additionalProperties: { anyOf: [{ $ref }, { type: "array", items: { $ref } }] },
    },
    "list of maps": { type: "array", items: { type: "object", additionalProperties: { $ref } } },
    "map of pairs": {
      type: "object",
      additionalProperties: { type: "array", prefixItems: [{ $ref }, { $ref }] },
    },
  };
  for (const [name, d] of Object.entries(rows)) {
    await t.step(name, () => {
      for (const most of [300, 20]) {
        const nested = { type: "object", properties: { v: { $ref } }, $defs: { d } };
        for (const schema of [nested, { $ref, $defs: { d } }]) {
          const text = inlineType(convertSchema(schema), most);
          assert.ok(text.includes("…") && text.length <= 300, text);
        }
      }
    });
  }
});

/** A schema, not small, that takes the processor for so long when its type is made. */
function slow(ms: number, onRead = () => {}) {
  const $comment = "x".repeat(9_000);
  const schema = { type: "object", properties: { a: { type: "string" } }, $comment };
  return Object.defineProperty(schema, "anyOf", {
    get() {
      onRead();
      for (const end = usedMs() + ms; usedMs() < end;);
      return undefined;
    },
  });
}

Deno.test("prepare() gives a list of tools its time, and each tool a part of it", async () => {
  let reads = 0;
  const hostile = [Infinity, 0, ...many(200, 100)].map((ms, at) => ({
    name: `t${at}`,
    inputSchema: slow(ms, () => reads++),
    outputSchema: slow(0),
  }));
  const good = { name: "good", inputSchema: { properties: { b: { type: "number" } } } };
  const notes: unknown[] = [];
  const generator = createModuleGenerator({
    log: (level, text, facts) => void notes.push([level, text, facts]),
  });
  generator.update(nameTools([packOf("bad", hostile), packOf("fine", [good])]).entries);
  const end = longestTurn();
  await generator.prepare();
  const longest = end();
  const [bad = "", fine = ""] = ["bad", "fine"].map((key) => {
    return generator.declarations().get(`types/${key}.ts`);
  });
  assert.ok(longest < 2_000, `${longest} ms in one turn`);
  assert.ok(reads < 100, `${reads} schemas were read`);
  assert.match(bad, /t0\(args\?: T0Args, options\?: CallOptions\): Promise<any>;/);
  assert.match(bad, /interface T0Args \{ \[key: string\]: any \}/);
  assert.match(bad, /interface T201Args \{ \[key: string\]: any \}/);
  assert.match(bad, /interface T1Args \{\n {2}a\?: string;\n\}/);
  assert.match(fine, /b\?: number;/);
  assert.equal(notes.length, 1);
});
