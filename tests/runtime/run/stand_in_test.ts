import assert from "node:assert/strict";
import { standInOf } from "../../../runtime/run/plan/stand_in.ts";
import { convertSchema } from "../../../runtime/types/convert.ts";
import type { Type } from "../../../runtime/types/ir.ts";

/** Eight types, each of 32 parts that are the next. */
function chained(make: (part: Type) => Type) {
  const definitions = Array.from({ length: 9 }, (_, at) => ({
    name: `t${at}`,
    type: at === 8 ? { kind: "primitive", name: "string" } as const : make({
      kind: "reference",
      definition: at + 2,
    }),
  }));
  return { root: { kind: "reference", definition: 1 } as const, definitions };
}

const KINDS: Readonly<Record<string, (part: Type) => Type>> = {
  tuples: (part) => ({ kind: "tuple", items: Array(32).fill(part), required: 32, rest: undefined }),
  intersections: (part) => ({ kind: "intersection", members: Array(32).fill(part) }),
};

for (const [name, make] of Object.entries(KINDS)) {
  Deno.test(`standInOf() bounds the values of ${name} that name one another`, () => {
    const { value } = standInOf(chained(make));
    assert.ok(JSON.stringify(value).length < 100_000);
  });
}

Deno.test("standInOf() follows references to the definition that they name", () => {
  const schema = {
    $ref: "#/$defs/ticket",
    $defs: {
      person: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
      ticket: {
        type: "object",
        required: ["id", "by"],
        properties: { id: { type: "number" }, by: { $ref: "#/$defs/person" } },
      },
    },
  };
  assert.deepEqual(standInOf(convertSchema(schema)), {
    value: { id: 0, by: { name: "" } },
    kind: "object",
  });
});
