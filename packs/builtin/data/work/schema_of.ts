/** The JSON Schema that a value, and others like it, fulfils. */

import { isObject, type JsonObject, type JsonValue } from "#sandbox/json";

const MAX_PROPERTIES = 200;

/** What was seen in one place. */
interface Seen {
  readonly types: Set<string>;
  objects: number;
  readonly properties: Map<string, { count: number; seen: Seen }>;
  items: Seen | undefined;
}

/** Objects with very many keys count as maps. */
export function schemaOf(value: JsonValue): JsonObject {
  const seen = nothing();
  look(value, seen);
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema(seen) };
}

function nothing(): Seen {
  return { types: new Set(), objects: 0, properties: new Map(), items: undefined };
}

function look(value: JsonValue, seen: Seen): void {
  seen.types.add(typeOf(value));
  if (Array.isArray(value)) {
    seen.items ??= nothing();
    for (const item of value) look(item, seen.items);
  } else if (isObject(value)) {
    seen.objects++;
    for (const [name, item] of Object.entries(value as JsonObject)) {
      const known = seen.properties.get(name) ?? { count: 0, seen: nothing() };
      known.count++;
      look(item, known.seen);
      seen.properties.set(name, known);
    }
  }
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function schema(seen: Seen): JsonObject {
  const { types, items } = seen;
  if (types.has("number")) types.delete("integer");
  const names = [...types].sort();
  return {
    ...(names.length === 1
      ? { type: names[0] ?? "null" }
      : names.length > 1
      ? { type: names }
      : {}),
    ...(types.has("object") ? objectPart(seen) : {}),
    ...(items ? { items: schema(items) } : {}),
  };
}

function objectPart({ objects, properties }: Seen): JsonObject {
  if (properties.size > MAX_PROPERTIES) {
    const all = nothing();
    for (const { seen } of properties.values()) merge(seen, all);
    return { additionalProperties: schema(all) };
  }
  const required = [...properties].filter(([, { count }]) => count === objects)
    .map(([name]) => name);
  const schemas = [...properties].map(([name, { seen }]) => [name, schema(seen)] as const);
  return {
    properties: Object.fromEntries(schemas),
    ...(required.length > 0 ? { required } : {}),
  };
}

function merge(from: Seen, into: Seen): void {
  for (const type of from.types) into.types.add(type);
  into.objects += from.objects;
  for (const [name, { count, seen }] of from.properties) {
    const known = into.properties.get(name) ?? { count: 0, seen: nothing() };
    known.count += count;
    merge(seen, known.seen);
    into.properties.set(name, known);
  }
  if (from.items) merge(from.items, into.items ??= nothing());
}
