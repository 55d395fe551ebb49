/** Stand-ins: values of the type of a result, for calls that are not made. */

import type { JsonValue } from "#base";
import type { Converted, Type } from "../../types/ir.ts";

export interface StandIn {
  readonly value: JsonValue;
  /** `object` and `list`: each use of it can be seen. `open`: its type is not known, so that a test
   * of it cannot be seen. `plain`: no use of it can be seen. */
  readonly kind: "object" | "list" | "open" | "plain";
}

const MOST_LEVELS = 8;
const MOST_FIELDS = 2_000;

/** Makes the stand-in of a type: empty texts and lists, zeros, objects with their required fields.
 * A result that is not known is an empty object. */
export function standInOf(type: Converted | undefined): StandIn {
  if (!type) return { value: {}, kind: "open" };
  const value = makeValue(type);
  return { value, kind: kindOf(type.root, value, type) };
}

function kindOf(root: Type, value: JsonValue, type: Converted): StandIn["kind"] {
  if (root.kind === "reference") {
    const definition = type.definitions[root.definition]?.type;
    return definition && definition.kind !== "reference" ? kindOf(definition, value, type) : "open";
  }
  if (typeof value !== "object" || value === null) return "plain";
  if (root.kind === "object") return "object";
  return root.kind === "array" || root.kind === "tuple" ? "list" : "open";
}

function makeValue({ root, definitions }: Converted): JsonValue {
  let fields = 0;

  function make(type: Type, level: number): JsonValue {
    if (level > MOST_LEVELS) return {};
    switch (type.kind) {
      case "anything":
      case "never":
        return {};
      case "primitive":
        return EMPTY[type.name];
      case "literal":
        return type.value;
      case "array":
        return [];
      case "tuple":
        return type.items.slice(0, type.required).map((item) => make(item, level + 1));
      case "object":
        return makeObject(type.properties, level);
      case "union":
        return make(type.members.find(isNotNull) ?? { kind: "anything" }, level + 1);
      case "intersection":
        return makeIntersection(type.members, level);
      case "reference":
        return make(definitions[type.definition]?.type ?? { kind: "anything" }, level + 1);
      default:
        throw type satisfies never;
    }
  }

  function makeObject(
    properties: readonly { readonly name: string; readonly optional: boolean; type: Type }[],
    level: number,
  ): JsonValue {
    const entries: [string, JsonValue][] = [];
    for (const { name, optional, type } of properties) {
      if (!optional && fields++ < MOST_FIELDS) entries.push([name, make(type, level + 1)]);
    }
    return Object.fromEntries(entries);
  }

  function makeIntersection(members: readonly Type[], level: number): JsonValue {
    const values = members.map((member) => make(member, level + 1));
    const objects = values.filter((value) => typeof value === "object" && !Array.isArray(value));
    return objects.length === values.length
      ? Object.fromEntries(objects.flatMap((value) => Object.entries(value ?? {})))
      : values[0] ?? {};
  }

  return make(root, 0);
}

const EMPTY = { string: "", number: 0, boolean: false, null: null } as const;

function isNotNull(type: Type): boolean {
  return !(type.kind === "primitive" && type.name === "null");
}
