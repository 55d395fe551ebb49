/** Schemas of tools, as clients take them: one that is flawed takes the whole list, with all servers in
 * it, from a client (MCP 2025-11-25 §tools). */

import { isObject, type JsonObject, type JsonValue } from "#base";

/** Returns a schema of an object whose properties are schemas that are objects, too. */
export function soundSchema(schema: JsonObject): JsonObject {
  const { properties, required } = schema;
  const flawed = [
    ...(properties === undefined || isObject(properties) ? [] : ["properties"]),
    ...(required === undefined || areTexts(required) ? [] : ["required"]),
  ];
  const isSound = schema.type === "object" && flawed.length === 0 &&
    (!isObject(properties) || Object.values(properties).every(isObject));
  if (isSound) return schema;
  const rest = Object.entries(schema).filter(([key]) => !flawed.includes(key));
  const whole = { ...Object.fromEntries(rest), type: "object" };
  if (!isObject(properties)) return whole;
  const all = Object.entries(properties).map(([name, value]) => [name, objectSchema(value)]);
  return { ...whole, properties: Object.fromEntries(all) };
}

/** `true` and `false` are schemas that some clients do not know. */
function objectSchema(schema: JsonValue): JsonObject {
  if (isObject(schema)) return schema;
  return schema === false ? { not: {} } : {};
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
