/** Schemas of the values that the tools of the `grep` pack return. */

import type { JsonObject } from "#sandbox";

const text = { type: "string" };
const whole = { type: "integer" };
const texts = { type: "array", items: text };
const more = { type: "boolean", description: "Whether the limit left something out" };

function object(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

export const MATCHES: JsonObject = object({
  matches: {
    type: "array",
    items: object(
      { path: text, line: whole, column: whole, text, before: texts, after: texts },
      ["before", "after"],
    ),
  },
  more,
});

export const FILES: JsonObject = object({ paths: texts, more });

export const COUNTS: JsonObject = object({
  files: { type: "array", items: object({ path: text, count: whole }) },
  total: whole,
  more,
});

export const NAMES: JsonObject = object({
  entries: {
    type: "array",
    items: object({
      path: text,
      kind: { type: "string", enum: ["file", "folder", "link", "other"] },
    }),
  },
  more,
});
