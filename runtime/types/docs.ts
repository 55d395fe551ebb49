/** Doc comment of a schema: its description, and limits that types cannot express. */

import { isObject } from "#base";
import type { Doc, Tag } from "./ir.ts";

const EMPTY: Doc = { text: "", tags: [] };
const HINTS = [
  "format",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "pattern",
] as const;
const MAX_HINT = 120;

/** The comment of one property. */
export function docOf(schema: unknown): Doc {
  if (!isObject(schema)) return EMPTY;
  const tags: Tag[] = [];
  if (schema.deprecated === true) tags.push({ name: "deprecated", value: "" });
  const fallback = shortJson(schema.default);
  if (fallback !== undefined) tags.push({ name: "default", value: fallback });
  for (const name of HINTS) {
    const value = schema[name];
    if (typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER) {
      tags.push({ name, value: String(value) });
    } else if (typeof value === "string" && value !== "" && value.length <= MAX_HINT) {
      tags.push({ name, value });
    }
  }
  const text = typeof schema.description === "string" ? schema.description : "";
  return { text, tags };
}

/** A value in short, or undefined when it is long or deep. */
function shortJson(value: unknown): string | undefined {
  const flat = isObject(value) || Array.isArray(value) ? Object.values(value) : [];
  if (value === undefined || flat.length > 8 || flat.some((part) => typeof part === "object")) {
    return undefined;
  }
  const text = JSON.stringify(value);
  return text.length <= MAX_HINT ? text : undefined;
}
