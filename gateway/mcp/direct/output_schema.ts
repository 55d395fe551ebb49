/** Schemas of results, as clients compile them: each one of the older era does so with those of all tools
 * as it lists them, and one that does not compile fails the whole list (MCP 2025-11-25 §tools). */

import { attempt, isObject, type JsonObject } from "#base";

/** True for a value that a keyword takes; collects what is left to check. */
type Check = (value: unknown, walk: Walk) => boolean;

interface Walk {
  readonly depth: number;
  readonly schemas: Set<unknown>;
  readonly references: Set<string>;
  readonly patterns: Set<string>;
}

const MOST_DEPTH = 64;
const MOST_SCHEMAS = 2_000;
/** Schemas of one with references: clients compile them within one another, and 800 overflow a stack. */
const MOST_REFERRED = 400;
/** Characters of all patterns: to read one takes the engine up to 15 µs for a character. */
const MOST_PATTERNS = 1_000;

const compilable = new WeakMap<object, boolean>();

/** Returns true for a schema of an object that every client compiles. Keywords that some clients refuse,
 * or read otherwise than others, make it false. */
export function isCompilable(schema: unknown): schema is JsonObject {
  if (!isObject(schema) || schema.type !== "object") return false;
  const isSound = compilable.get(schema) ?? compiles(schema);
  compilable.set(schema, isSound);
  return isSound;
}

function compiles(schema: object): boolean {
  const [schemas, references, patterns] = [new Set(), new Set<string>(), new Set<string>()];
  return isSchema(schema, { depth: 0, schemas, references, patterns }) &&
    schemas.size <= (references.size > 0 ? MOST_REFERRED : MOST_SCHEMAS) &&
    [...patterns].join("").length <= MOST_PATTERNS &&
    [...references].every((reference) => schemas.has(targetOf(schema, reference))) &&
    [...patterns].every((pattern) => attempt(() => new RegExp(pattern, "u")) !== undefined);
}

function targetOf(schema: unknown, reference: string): unknown {
  return reference.split("/").slice(1).reduce<unknown>((at, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    const isIn = Array.isArray(at) || isObject(at);
    return isIn && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined;
  }, schema);
}

const isSchema: Check = (value, walk) => {
  if (typeof value === "boolean") return true;
  const { depth, schemas } = walk;
  if (!isObject(value) || depth > MOST_DEPTH || schemas.size >= MOST_SCHEMAS) return false;
  schemas.add(value);
  const inner = { ...walk, depth: depth + 1 };
  return Object.entries(value).every(([key, part]) => KEYWORDS.get(key)?.(part, inner) ?? true);
};
const isNumber: Check = (value) => Number.isFinite(value);
const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isAny: Check = (value) => Array.isArray(value) && value.length > 0;
const isType: Check = (value) =>
  ["string", "number", "integer", "boolean", "null", "array", "object"].some((one) =>
    one === value
  );
const isReference: Check = (value, { references }) =>
  typeof value === "string" && /^#(?:\/[^%]*)?$/.test(value) && references.add(value).size > 0;
const isPattern: Check = (value, { patterns }) =>
  typeof value === "string" && patterns.add(value).size > 0;
const isRefused: Check = () => false;
const listOf = (check: Check): Check => (value, walk) =>
  Array.isArray(value) && value.every((item) => check(item, walk));
const byName = (check: Check): Check => (value, walk) =>
  isObject(value) && Object.values(value).every((item) => check(item, walk));
const all = (...checks: readonly Check[]): Check => (value, walk) =>
  checks.every((check) => check(value, walk));
const either = (one: Check, other: Check): Check => (value, walk) =>
  one(value, walk) || other(value, walk);
const namedByPatterns: Check = (value, walk) =>
  isObject(value) && Object.keys(value).every((name) => isPattern(name, walk));

/** Checks of keywords, by the words that have them. */
const WORDS: readonly (readonly [words: string, check: Check])[] = [
  [
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems " +
    "maxItems minContains maxContains minProperties maxProperties",
    isNumber,
  ],
  ["uniqueItems", isFlag],
  ["format", isText],
  ["pattern", isPattern],
  ["type", either(isType, all(isAny, listOf(isType)))],
  ["required", listOf(isText)],
  ["dependentRequired", byName(listOf(isText))],
  ["enum", isAny],
  [
    "not if then else contains propertyNames additionalProperties additionalItems " +
    "unevaluatedProperties unevaluatedItems",
    isSchema,
  ],
  ["items", either(isSchema, listOf(isSchema))],
  ["anyOf oneOf allOf prefixItems", all(isAny, listOf(isSchema))],
  ["properties $defs definitions dependentSchemas", byName(isSchema)],
  ["patternProperties", all(namedByPatterns, byName(isSchema))],
  ["$ref", isReference],
  ["$id id $anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef", isRefused],
  ["nullable dependencies formatMinimum formatMaximum", isRefused],
  ["formatExclusiveMinimum formatExclusiveMaximum", isRefused],
];
const KEYWORDS: ReadonlyMap<string, Check> = new Map(
  WORDS.flatMap(([words, check]) => words.split(" ").map((word) => [word, check] as const)),
);
