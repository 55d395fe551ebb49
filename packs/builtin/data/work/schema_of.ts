/** Infers a JSON Schema from a value. */

import { isObject, type JsonObject, type JsonValue } from "#base";

const MAX_PROPERTIES = 200;

/** Values in one place. */
interface Sample {
  readonly types: Set<string>;
  objects: number;
  readonly properties: Map<string, { count: number; sample: Sample }>;
  items: Sample | undefined;
}

/** JSON Schema of a value. Objects with very many keys count as maps. */
export function schemaOf(value: JsonValue): JsonObject {
  const sample = emptySample();
  collect(value, sample);
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema(sample) };
}

function emptySample(): Sample {
  return { types: new Set(), objects: 0, properties: new Map(), items: undefined };
}

function collect(value: JsonValue, sample: Sample): void {
  sample.types.add(typeOf(value));
  if (Array.isArray(value)) {
    sample.items ??= emptySample();
    for (const item of value) collect(item, sample.items);
  } else if (isObject(value)) {
    sample.objects++;
    for (const [name, item] of Object.entries(value as JsonObject)) {
      const property = sample.properties.get(name) ?? { count: 0, sample: emptySample() };
      property.count++;
      collect(item, property.sample);
      sample.properties.set(name, property);
    }
  }
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function schema(sample: Sample): JsonObject {
  const { types, items } = sample;
  if (types.has("number")) types.delete("integer");
  const names = [...types].sort();
  return {
    ...(names.length === 1
      ? { type: names[0] ?? "null" }
      : names.length > 1
      ? { type: names }
      : {}),
    ...(types.has("object") ? objectPart(sample) : {}),
    ...(items ? { items: schema(items) } : {}),
  };
}

function objectPart({ objects, properties }: Sample): JsonObject {
  if (properties.size > MAX_PROPERTIES) {
    const all = emptySample();
    for (const { sample } of properties.values()) merge(sample, all);
    return { additionalProperties: schema(all) };
  }
  const required = [...properties].filter(([, { count }]) => count === objects)
    .map(([name]) => name);
  const schemas = [...properties].map(([name, { sample }]) => [name, schema(sample)] as const);
  return {
    properties: Object.fromEntries(schemas),
    ...(required.length > 0 ? { required } : {}),
  };
}

function merge(from: Sample, into: Sample): void {
  for (const type of from.types) into.types.add(type);
  into.objects += from.objects;
  for (const [name, { count, sample }] of from.properties) {
    const property = into.properties.get(name) ?? { count: 0, sample: emptySample() };
    property.count += count;
    merge(sample, property.sample);
    into.properties.set(name, property);
  }
  if (from.items) merge(from.items, into.items ??= emptySample());
}
