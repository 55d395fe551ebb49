/** Schemas of the values that the tools of the `git` pack return. */

import type { JsonObject } from "#base";
import { FLAG, list, MORE, object, TEXT, TEXT_OR_NULL, WHOLE } from "../kit/schemas.ts";

const wholeOrNull = { type: ["integer", "null"] };
const state = { ...TEXT, description: "As in modified, added, deleted, unchanged" };

const COMMIT_FIELDS = {
  hash: TEXT,
  parents: list(TEXT),
  author: TEXT,
  email: TEXT,
  date: TEXT,
  subject: TEXT,
  body: TEXT,
};
const CHANGES_FIELDS = {
  files: list(object({
    path: TEXT,
    from: { ...TEXT_OR_NULL, description: "The previous path of a renamed file" },
    status: TEXT,
    added: wholeOrNull,
    deleted: wholeOrNull,
  })),
  text: { ...TEXT, description: "The unified diff" },
  more: MORE,
};

export const STATUS: JsonObject = object({
  branch: TEXT_OR_NULL,
  hash: TEXT_OR_NULL,
  upstream: TEXT_OR_NULL,
  ahead: WHOLE,
  behind: WHOLE,
  clean: FLAG,
  changes: list(object({ path: TEXT, from: TEXT_OR_NULL, staged: state, unstaged: state })),
  more: MORE,
});
export const LOG: JsonObject = object({ commits: list(object(COMMIT_FIELDS)), more: MORE });
export const DIFF: JsonObject = object(CHANGES_FIELDS);
export const SHOW: JsonObject = object({ ...COMMIT_FIELDS, ...CHANGES_FIELDS });
export const FILE: JsonObject = object({ path: TEXT, hash: TEXT, text: TEXT, more: MORE });
export const BLAME: JsonObject = object({
  path: TEXT,
  lines: list(object({
    line: WHOLE,
    text: TEXT,
    hash: TEXT,
    author: TEXT,
    date: TEXT,
    subject: TEXT,
  })),
  more: MORE,
});
export const BRANCHES: JsonObject = object({
  branches: list(object({
    name: TEXT,
    current: FLAG,
    hash: TEXT,
    date: TEXT,
    upstream: TEXT_OR_NULL,
    ahead: WHOLE,
    behind: WHOLE,
    subject: TEXT,
  })),
  more: MORE,
});
