/** Schemas of results, as clients compile them: each one of the older era does so with those of all tools
 * as it lists them, and one that does not compile fails the whole list (MCP 2025-11-25 §tools). */

import { isObject, type JsonObject } from "#base";

/** True for a value that a keyword takes. */
type Check = (value: unknown, walk: Walk) => boolean;

interface Walk {
  readonly depth: number;
  readonly count: { schemas: number };
}

const MOST_DEPTH = 32;
const MOST_SCHEMAS = 1_000;

/** Returns true for a schema of an object that every client compiles, within a second. It has plain
 * keywords alone: patterns and references differ from language to language, and take time. */
export function isCompilable(schema: unknown): schema is JsonObject {
  return isObject(schema) && schema.type === "object" &&
    isSchema(schema, { depth: 0, count: { schemas: 0 } });
}

const isSchema: Check = (value, { depth, count }) => {
  if (typeof value === "boolean") return true;
  if (!isObject(value) || depth > MOST_DEPTH || ++count.schemas > MOST_SCHEMAS) return false;
  const walk = { depth: depth + 1, count };
  return Object.entries(value).every(([key, part]) => KEYWORDS.get(key)?.(part, walk) === true);
};
const isData: Check = () => true;
const isList: Check = Array.isArray;
const isNumber: Check = Number.isFinite;
const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isType: Check = (value) => typeof value === "string" && TYPES.includes(value);
const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];
const someOf = (check: Check): Check => (value, walk) =>
  Array.isArray(value) && value.length > 0 && value.every((item) => check(item, walk));
const byName = (check: Check): Check => (value, walk) =>
  isObject(value) && Object.values(value).every((item) => check(item, walk));

/** Checks of keywords, by the words that have them. */
const WORDS: readonly (readonly [words: string, check: Check])[] = [
  ["$schema $comment title description format contentEncoding contentMediaType", isText],
  ["default const", isData],
  ["examples", isList],
  ["enum", someOf(isData)],
  ["uniqueItems deprecated readOnly writeOnly", isFlag],
  ["minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength", isNumber],
  ["minItems maxItems minContains maxContains minProperties maxProperties", isNumber],
  ["type", (value, walk) => isType(value, walk) || someOf(isType)(value, walk)],
  ["required", (value) => Array.isArray(value) && value.every((name) => typeof name === "string")],
  ["items contains not if then else propertyNames additionalProperties", isSchema],
  ["anyOf oneOf allOf", someOf(isSchema)],
  ["properties", byName(isSchema)],
];
const KEYWORDS: ReadonlyMap<string, Check> = new Map(
  WORDS.flatMap(([words, check]) => words.split(" ").map((word) => [word, check] as const)),
);
