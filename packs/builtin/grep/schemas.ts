/** Schemas of the values that the tools of the `grep` pack return. */

import type { JsonObject } from "#base";
import { list, MORE, object, TEXT, WHOLE } from "../kit/schemas.ts";

export const MATCHES: JsonObject = object({
  matches: list(object({
    path: TEXT,
    line: WHOLE,
    column: WHOLE,
    text: TEXT,
    before: list(TEXT),
    after: list(TEXT),
  }, ["before", "after"])),
  more: MORE,
});
export const FILES: JsonObject = object({ paths: list(TEXT), more: MORE });
export const COUNTS: JsonObject = object({
  files: list(object({ path: TEXT, count: WHOLE })),
  total: WHOLE,
  more: MORE,
});
export const NAMES: JsonObject = object({
  entries: list(object({
    path: TEXT,
    kind: { type: "string", enum: ["file", "folder", "link", "other"] },
  })),
  more: MORE,
});
