/** JSON Schemas for the values that tools return. */

import type { JsonObject } from "#base";

export const TEXT: JsonObject = { type: "string" };
export const WHOLE: JsonObject = { type: "integer" };
export const NUMBER: JsonObject = { type: "number" };
export const FLAG: JsonObject = { type: "boolean" };
export const TEXT_OR_NULL: JsonObject = { type: ["string", "null"] };
export const MORE: JsonObject = { type: "boolean", description: "True if a limit cut the result" };

/** Schema of an object. All properties are required, except those named in `optional`. */
export function object(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

/** Schema of a list. */
export function list(items: JsonObject): JsonObject {
  return { type: "array", items };
}
