/** Stand-ins: values of the type of a result, for calls that are not made. */

import type { JsonValue } from "#base";
import { type Converted, targetOf, type Type } from "../../types/ir.ts";

export interface StandIn {
  readonly value: JsonValue;
  /** `object` and `list`: each use of it can be seen. `open`: its type is not known, so that a test
   * of it cannot be seen. `plain`: no use of it can be seen. */
  readonly kind: "object" | "list" | "open" | "plain";
}

const MOST_LEVELS = 8;
/** Values of a stand-in: types that name one another stand for any number. */
const MOST_VALUES = 2_000;

/** Makes the stand-in of a type: empty texts and lists, zeros, objects with their required fields.
 * A result that is not known is an empty object. */
export function standInOf(type: Converted | undefined): StandIn {
  if (!type) return { value: {}, kind: "open" };
  const value = makeValue(type);
  return { value, kind: kindOf(type.root, value, type) };
}

function kindOf(root: Type, value: JsonValue, type: Converted): StandIn["kind"] {
  if (root.kind === "reference") {
    const definition = targetOf(root.definition, type);
    return definition && definition.kind !== "reference" ? kindOf(definition, value, type) : "open";
  }
  if (typeof value !== "object" || value === null) return "plain";
  if (root.kind === "object") return "object";
  return root.kind === "array" || root.kind === "tuple" ? "list" : "open";
}

function makeValue(converted: Converted): JsonValue {
  let values = 0;

  function make(type: Type, level: number): JsonValue {
    if (level > MOST_LEVELS || values++ >= MOST_VALUES) return {};
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
        return makeList(type.items.slice(0, type.required), level);
      case "object":
        return makeObject(type.properties, level);
      case "union":
        return make(type.members.find(isNotNull) ?? { kind: "anything" }, level + 1);
      case "intersection":
        return makeIntersection(type.members, level);
      case "reference":
        return make(targetOf(type.definition, converted) ?? { kind: "anything" }, level + 1);
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
      if (!optional && values < MOST_VALUES) entries.push([name, make(type, level + 1)]);
    }
    return Object.fromEntries(entries);
  }

  /** Stops at the limit, as the fields of an object do. */
  function makeList(types: readonly Type[], level: number): JsonValue[] {
    const items: JsonValue[] = [];
    for (const type of types) if (values < MOST_VALUES) items.push(make(type, level + 1));
    return items;
  }

  function makeIntersection(members: readonly Type[], level: number): JsonValue {
    const made = makeList(members, level);
    const objects = made.filter((value) => typeof value === "object" && !Array.isArray(value));
    return objects.length === made.length
      ? Object.fromEntries(objects.flatMap((value) => Object.entries(value ?? {})))
      : made[0] ?? {};
  }

  return make(converted.root, 0);
}

const EMPTY = { string: "", number: 0, boolean: false, null: null } as const;

function isNotNull(type: Type): boolean {
  return !(type.kind === "primitive" && type.name === "null");
}
