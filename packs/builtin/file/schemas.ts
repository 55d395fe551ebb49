/** Schemas of the values that the tools of the `file` pack return. */

import type { JsonObject } from "#sandbox";

const text = { type: "string" };
const whole = { type: "integer" };
const yes = { type: "boolean" };
const textOrNull = { type: ["string", "null"] };
const kind = { type: "string", enum: ["file", "folder", "link", "other"] };
const more = { type: "boolean", description: "Whether the limit left something out" };
const backup = {
  type: ["string", "null"],
  description: "Where what was there is kept, relative to the project",
};
const diff = { type: ["string", "null"], description: "Null where it would be very long" };

function object(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties) };
}
function list(items: JsonObject): JsonObject {
  return { type: "array", items };
}

export const PAGE: JsonObject = object({
  path: text,
  text,
  first_line: whole,
  last_line: whole,
  total_lines: whole,
  has_more: yes,
  encoding: text,
  size: { type: "integer", description: "Bytes of the whole file" },
});
export const INFO: JsonObject = object({
  path: text,
  absolute: text,
  kind,
  size: whole,
  modified: textOrNull,
  created: textOrNull,
  mode: { type: ["string", "null"], description: 'As in "0644"' },
});
export const LIST: JsonObject = object({
  path: text,
  entries: list(object({ name: text, kind, size: whole, modified: textOrNull })),
  total: whole,
  more,
});
export const TREE: JsonObject = object({ path: text, text, files: whole, folders: whole, more });
export const PATHS: JsonObject = object({ paths: list(text), more });
export const WRITTEN: JsonObject = object({
  path: text,
  bytes: whole,
  created: yes,
  diff,
  backup,
  dry_run: yes,
});
export const APPENDED: JsonObject = object({ path: text, bytes: whole, created: yes });
export const EDITED: JsonObject = object({
  path: text,
  replaced: whole,
  lines: { ...list(whole), description: "Where, in the text as it was; the first 100" },
  diff,
  backup,
  dry_run: yes,
});
export const COPIED: JsonObject = object({
  from: text,
  to: text,
  files: whole,
  left_out: { type: "integer", description: "Entries that are closed to programs" },
  backup,
});
export const MOVED: JsonObject = object({ from: text, to: text, backup });
export const DELETED: JsonObject = object({ path: text, kind, backup });
export const MADE: JsonObject = object({ path: text, created: yes });
