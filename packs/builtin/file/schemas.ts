/** Schemas of the values that the tools of the `file` pack return. */

import type { JsonObject } from "#base";
import { FLAG, list, MORE, object, TEXT, TEXT_OR_NULL, WHOLE } from "../kit/schemas.ts";

const kind = { type: "string", enum: ["file", "folder", "link", "other"] };
const backup = {
  ...TEXT_OR_NULL,
  description: "The path of the previous file's backup, relative to the project",
};
const diff = { ...TEXT_OR_NULL, description: "Null if it would be very long" };

export const PAGE: JsonObject = object({
  path: TEXT,
  text: TEXT,
  first_line: WHOLE,
  last_line: WHOLE,
  total_lines: WHOLE,
  has_more: FLAG,
  encoding: TEXT,
  size: { ...WHOLE, description: "Bytes of the whole file" },
});
export const INFO: JsonObject = object({
  path: TEXT,
  absolute: TEXT,
  kind,
  size: WHOLE,
  modified: TEXT_OR_NULL,
  created: TEXT_OR_NULL,
  mode: { ...TEXT_OR_NULL, description: 'As in "0644"' },
});
export const LIST: JsonObject = object({
  path: TEXT,
  entries: list(object({ name: TEXT, kind, size: WHOLE, modified: TEXT_OR_NULL })),
  total: WHOLE,
  more: MORE,
});
export const TREE: JsonObject = object({
  path: TEXT,
  text: TEXT,
  files: WHOLE,
  folders: WHOLE,
  more: MORE,
});
export const PATHS: JsonObject = object({ paths: list(TEXT), more: MORE });
export const WRITE_RESULT: JsonObject = object({
  path: TEXT,
  bytes: WHOLE,
  created: FLAG,
  diff,
  backup,
  dry_run: FLAG,
});
export const APPENDED: JsonObject = object({ path: TEXT, bytes: WHOLE, created: FLAG });
export const EDITED: JsonObject = object({
  path: TEXT,
  replaced: WHOLE,
  lines: { ...list(WHOLE), description: "The first 100 line numbers, before the change" },
  diff,
  backup,
  dry_run: FLAG,
});
export const COPIED: JsonObject = object({
  from: TEXT,
  to: TEXT,
  files: WHOLE,
  left_out: { ...WHOLE, description: "Links, and entries that are closed to programs" },
  backup,
});
export const MOVED: JsonObject = object({ from: TEXT, to: TEXT, backup });
export const DELETED: JsonObject = object({ path: TEXT, kind, backup });
export const FOLDER_RESULT: JsonObject = object({ path: TEXT, created: FLAG });
