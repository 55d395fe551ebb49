/** Shapes as types: for people, and for the type checker. */

import { ANYTHING, type Property, type Type, unionOf } from "../types/ir.ts";
import { KIND, type Shape } from "./shape.ts";

const PLAIN = [
  [KIND.text, "string"],
  [KIND.number, "number"],
  [KIND.boolean, "boolean"],
] as const;

/** Type for help: a field that was missing is optional, and `null` is told. */
export function typeForHelp(shape: Shape): Type {
  const { kinds, items, objects, fields, rest } = shape;
  if (kinds === 0 || kinds & KIND.deep) return ANYTHING;
  const types: Type[] = [];
  if (kinds & KIND.object) {
    const others = rest ? typeForHelp(rest) : fields.size === 0 ? ANYTHING : undefined;
    const properties = [...fields].map(([name, field]) =>
      property(name, { type: typeForHelp(field), optional: field.seen < objects })
    );
    types.push({ kind: "object", properties, others });
  }
  if (kinds & KIND.list) types.push({ kind: "array", item: items ? typeForHelp(items) : ANYTHING });
  for (const [bit, name] of PLAIN) if (kinds & bit) types.push({ kind: "primitive", name });
  if (kinds & KIND.null) types.push({ kind: "primitive", name: "null" });
  return unionOf(types);
}

/** Type for the check: it stops a program only if that uses a place as another kind of value than
 * the only kind that was seen. */
export function typeForCheck({ kinds, items, objects, fields, rest }: Shape): Type {
  switch (kinds & ~KIND.null) {
    case KIND.list:
      return { kind: "array", item: items ? typeForCheck(items) : ANYTHING };
    case KIND.object: {
      const properties = [...fields].map(([name, field]) =>
        property(name, { type: typeForCheck(field), optional: false }, doubts(field, objects))
      );
      const others = rest && fields.size === 0 ? typeForCheck(rest) : ANYTHING;
      return { kind: "object", properties, others };
    }
    default: {
      const name = PLAIN.find(([bit]) => bit === (kinds & ~KIND.null))?.[1];
      return name ? { kind: "primitive", name } : ANYTHING;
    }
  }
}

function property(name: string, rest: Pick<Property, "type" | "optional">, text = ""): Property {
  return { name, ...rest, doc: { text, tags: [] } };
}

/** Note for the reader of a type that does not show it: missing at times, or null. */
function doubts({ seen, kinds }: Shape, objects: number): string {
  const words = [...(seen < objects ? ["missing"] : []), ...(kinds & KIND.null ? ["null"] : [])];
  return words.length > 0 ? `At times ${words.join(" or ")}` : "";
}
