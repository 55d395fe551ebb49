/** JSON Schema keywords from a comment. */

import { attempt, type JsonObject, type JsonValue } from "#base";
import { type Effect, readEffect } from "#packs/effect";
import type { TagInfo } from "./questions.ts";

const NUMBERS = new Set([
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
]);
const TEXTS = new Set(["format", "pattern"]);

/** Keywords for a comment: its text as description, and tags such as `@minimum` and `@default`. */
export function readHints(text: string, tags: readonly TagInfo[]): JsonObject {
  const hints: Record<string, JsonValue> = {};
  if (text.trim() !== "") hints.description = text.trim();
  for (const { name, text: value = "" } of tags) {
    if (NUMBERS.has(name) && Number.isFinite(Number(value))) hints[name] = Number(value);
    else if (TEXTS.has(name)) hints[name] = value.trim();
    else if (name === "default") hints.default = parseDefault(value.trim());
    else if (name === "deprecated") hints.deprecated = true;
  }
  return hints;
}

/** Descriptions of parameters, from `@param name text`. */
export function readParams(tags: readonly TagInfo[]): Map<string, string> {
  const params = new Map<string, string>();
  for (const { name, text = "" } of tags) {
    if (name !== "param" && name !== "arg" && name !== "argument") continue;
    const [, param, about = ""] =
      /^(?:\{[^}]*\}\s*)?\[?([\w$.]+)(?![\w$.])[^\]\s]*\]?(?:\s+-?\s*([^]*))?$/.exec(text.trim()) ??
        [];
    if (param !== undefined && about.trim() !== "") params.set(param, about.trim());
  }
  return params;
}

/** Effect of a tool, from `@effect read`; undefined where the tag is missing or says another word. */
export function effectOfTags(tags: readonly TagInfo[]): Effect | undefined {
  const { text = "" } = tags.find(({ name }) => name === "effect") ?? {};
  return readEffect(text.trim());
}

function parseDefault(text: string): JsonValue {
  const plain = text.replace(/^`(.*)`$/, "$1");
  // A default that is not JSON is a string.
  return attempt(() => JSON.parse(plain), plain.replace(/^'(.*)'$/, "$1"));
}
