/** Schemas of the values that the tools of the `git` pack return. */

import type { JsonObject } from "#sandbox";

const text = { type: "string" };
const whole = { type: "integer" };
const yes = { type: "boolean" };
const textOrNull = { type: ["string", "null"] };
const wholeOrNull = { type: ["integer", "null"] };
const more = { type: "boolean", description: "Whether a limit left something out" };

function object(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties) };
}
function list(items: JsonObject): JsonObject {
  return { type: "array", items };
}

const COMMIT_FIELDS = {
  hash: text,
  parents: list(text),
  author: text,
  email: text,
  date: text,
  subject: text,
  body: text,
};
const CHANGES_FIELDS = {
  files: list(object({
    path: text,
    from: { type: ["string", "null"], description: "The path before, where it was renamed" },
    status: text,
    added: wholeOrNull,
    deleted: wholeOrNull,
  })),
  text: { type: "string", description: "The unified diff" },
  more,
};
const state = { type: "string", description: "As in modified, added, deleted, unchanged" };

export const STATUS: JsonObject = object({
  branch: textOrNull,
  hash: textOrNull,
  upstream: textOrNull,
  ahead: whole,
  behind: whole,
  clean: yes,
  changes: list(object({ path: text, from: textOrNull, staged: state, unstaged: state })),
  more,
});
export const LOG: JsonObject = object({ commits: list(object(COMMIT_FIELDS)), more });
export const DIFF: JsonObject = object(CHANGES_FIELDS);
export const SHOW: JsonObject = object({ ...COMMIT_FIELDS, ...CHANGES_FIELDS });
export const FILE: JsonObject = object({ path: text, hash: text, text, more });
export const BLAME: JsonObject = object({
  path: text,
  lines: list(object({
    line: whole,
    text,
    hash: text,
    author: text,
    date: text,
    subject: text,
  })),
  more,
});
export const BRANCHES: JsonObject = object({
  branches: list(object({
    name: text,
    current: yes,
    hash: text,
    date: text,
    upstream: textOrNull,
    ahead: whole,
    behind: whole,
    subject: text,
  })),
  more,
});
