/** Unions whose members are the next union: few types, and millions of ways through them. */

import assert from "node:assert/strict";
import { standInOf } from "../../../runtime/run/plan/stand_in.ts";
import { convertSchema } from "../../../runtime/types/convert.ts";
import { emitSchema } from "../../../runtime/types/emit_type.ts";
import { inlineType, propertyTypes } from "../../../runtime/types/inline.ts";
import { takesNothing } from "../../../runtime/types/type_names.ts";

function chainOf(members: number, levels: number, last: object) {
  const next = (at: number) => ({
    anyOf: Array.from({ length: members }, () => ({ $ref: `#/$defs/d${at}` })),
  });
  const definitions = Array.from({ length: levels + 1 }, (_, at) => [
    `d${at}`,
    at === levels ? last : next(at + 1),
  ]);
  return convertSchema({ ...next(0), $defs: Object.fromEntries(definitions) });
}

for (const [members, levels] of [[8, 12], [8, 3], [400, 5], [2, 40]] as const) {
  for (const required of [[], ["x"]]) {
    Deno.test(`${levels} unions of ${members}, ${required.length} required, are gone through once`, () => {
      const properties = { x: { type: "number" } };
      const type = chainOf(members, levels, { type: "object", required, properties });
      assert.equal(takesNothing(type), required.length === 0 || levels > 20);
      assert.deepEqual([...propertyTypes(type).keys()], levels > 3 ? [] : ["x"]);
      assert.ok(inlineType(type, 500).length <= 500);
      assert.ok(emitSchema(type, { name: "Args", anything: "any" }).length < 100_000);
      standInOf(type);
    });
  }
}
