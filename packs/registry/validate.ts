/** Validation of arguments by a tool's JSON Schema, in bounded time. */

import { type Schema, Validator } from "@cfworker/json-schema";
import safeRegex from "safe-regex2";
import { attempt, isObject, type JsonValue } from "#base";
import { bounded, isTimeout } from "#base/bounded";
import { nearest } from "../nearest.ts";
import { parameterNames } from "./signature.ts";
import type { Args, JsonSchema } from "../types.ts";

const MAX_DEPTH = 64;
const MAX_NODES = 50_000;
const MAX_PATTERN = 500;
/** Characters of all patterns of a schema. To read one takes the engine up to 15 µs for a character, and
 * nothing ends it meanwhile. */
const MOST_PATTERNS = 10_000;
/** Longest check of one call. A pattern or a schema can take hours over a few thousand characters,
 * and no other work goes on meanwhile. */
const MAX_MS = 1_000;
/** Maximum of schema nodes times size of the arguments for a check without a time limit: it takes
 * about a millisecond. Setting a time limit takes longer than most checks. */
const MAX_STEPS = 10_000;
/** Errors that are put into words: for each unknown name a near one is looked for. */
const MOST_ERRORS = 100;
const MOST_PROBLEMS = 10;
/** Keywords whose time does not follow from the size of the schema and of the arguments. */
const UNBOUNDED = new Set([
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "format",
  "pattern",
  "patternProperties",
]);
/** Keywords that hold data, not schemas. */
const DATA = new Set(["enum", "const", "default", "examples"]);
/** Keywords that hold schemas by names, which are no keywords. */
const BY_NAME = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

/** One thing wrong with an argument. */
export interface ArgumentProblem {
  /** `filter.limit`, or empty for the arguments as a whole. */
  readonly path: string;
  readonly message: string;
}

/** The check was given up: the arguments may be right or wrong. */
export class CheckTooSlow extends Error {
  override readonly name = "CheckTooSlow";
}

/** Checks arguments; `size` counts their values, and every 16 characters of text. Throws
 * `CheckTooSlow`. */
export type ArgumentCheck = (args: Args, size?: number) => ArgumentProblem[];

/** Prepares the check of a tool's arguments. An unusable schema (nonsense, an unresolvable reference)
 * checks nothing: the tool's own check remains. Arguments over which the check of another one fails are
 * refused: names that are not well-formed, tens of thousands of errors. */
export function argumentCheck(schema: JsonSchema): ArgumentCheck {
  const extent: Extent = { nodes: 0, isBounded: true, patterns: new Map(), left: MOST_PATTERNS };
  const cleaned = clean(schema, extent, 0) as Schema;
  const draft = String(schema.$schema ?? "").includes("draft-07") ? "7" : "2020-12";
  let validator: Validator | undefined;
  function check(args: Args): ArgumentProblem[] {
    validator ??= new Validator(cleaned, draft, false);
    const result = validator.validate(args);
    return result.valid ? [] : problems(result.errors, schema);
  }
  function isUnusable(error: unknown): boolean {
    if (error instanceof Error && error.message.startsWith("Unresolved $ref")) return true;
    return attempt(() => bounded(() => check({}), MAX_MS)) === undefined;
  }
  return (args, size = Infinity) => {
    try {
      const isShort = extent.isBounded && extent.nodes * size <= MAX_STEPS;
      return isShort ? check(args) : bounded(() => check(args), MAX_MS);
    } catch (error) {
      if (isTimeout(error)) throw new CheckTooSlow(`It took longer than ${MAX_MS} ms`);
      // An unusable schema is its server's fault and must not stop a call that may be right.
      return isUnusable(error) ? [] : [UNCHECKED];
    }
  };
}

const UNCHECKED: ArgumentProblem = {
  path: "",
  message: "its arguments cannot be checked: send less at once, with well-formed names",
};

type ValidatorErrors = ReturnType<Validator["validate"]>["errors"];

function problems(all: ValidatorErrors, schema: JsonSchema): ArgumentProblem[] {
  const errors = all.slice(0, MOST_ERRORS);
  const leaves = errors.filter(({ keyword }) =>
    !["properties", "items", "allOf", "$ref", "additionalProperties"].includes(keyword)
  );
  const reported = (leaves.length > 0 ? leaves : errors).map((error) => ({
    path: pathOf(error.instanceLocation),
    message: messageOf(error, schema),
  }));
  const unknown = errors.filter(({ keyword }) => keyword === "additionalProperties")
    .map((error) => unknownArgument(error.error, schema));
  return dedupe([...unknown.filter((problem) => problem !== undefined), ...reported])
    .slice(0, MOST_PROBLEMS);
}

function messageOf(error: ValidatorErrors[number], schema: JsonSchema): string {
  const path = pathOf(error.instanceLocation);
  const missing = /required property "(.*)"/s.exec(error.error)?.[1];
  if (error.keyword === "required" && missing !== undefined) {
    return `argument "${path === "" ? missing : `${path}.${missing}`}" is missing`;
  }
  if (error.keyword === "false" && path !== "") {
    const hint = path.includes(".") ? "" : nearestHint(path, schema);
    return `argument "${path}" is not known${hint}`;
  }
  const text = error.error.replace(/\.$/, "");
  return path === "" ? text : `argument "${path}": ${text}`;
}

function unknownArgument(text: string, schema: JsonSchema): ArgumentProblem | undefined {
  const name = /^Property "(.*)" does not match/s.exec(text)?.[1];
  if (name === undefined || parameterNames(schema).includes(name)) return undefined;
  return { path: name, message: `argument "${name}" is not known${nearestHint(name, schema)}` };
}

function nearestHint(name: string, schema: JsonSchema): string {
  const { available } = nearest(name, parameterNames(schema));
  return available[0] === undefined ? "" : `, did you mean "${available[0]}"?`;
}

function pathOf(location: string): string {
  return location.replace(/^#\/?/, "").split("/").map((part) =>
    part.replaceAll("~1", "/").replaceAll("~0", "~")
  ).join(".");
}

function dedupe(list: readonly ArgumentProblem[]): ArgumentProblem[] {
  const seen = new Set<string>();
  return list.filter(({ message }) => !seen.has(message) && seen.add(message) !== undefined);
}

interface Extent {
  nodes: number;
  /** False where a keyword may take long over few nodes and values. */
  isBounded: boolean;
  /** Patterns that were tried; true for those that are usable. */
  readonly patterns: Map<string, boolean>;
  /** Characters that further ones may have. */
  left: number;
}

/** Copies a schema within bounds, without keywords that may run endlessly (`uniqueItems`, unsafe
 * patterns, and `regex`, by which the arguments would be patterns) and without remote references. */
function clean(schema: unknown, extent: Extent, depth: number): JsonValue {
  extent.nodes++;
  if (depth > MAX_DEPTH || extent.nodes > MAX_NODES) return true;
  if (Array.isArray(schema)) return schema.map((item) => clean(item, extent, depth + 1));
  if (!isObject(schema)) return schema as JsonValue;
  if (typeof schema.$ref === "string" && !schema.$ref.startsWith("#")) return true;
  const copy: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of Object.entries(schema)) {
    if (key === "uniqueItems" && typeof value === "boolean") continue;
    if (["$id", "id", "$schema"].includes(key) && typeof value === "string") continue;
    if (key === "format" && value === "regex") continue;
    if (!patternsOf(key, value).every((pattern) => usable(pattern, extent))) continue;
    if (UNBOUNDED.has(key) || !isSmallData(key, value)) extent.isBounded = false;
    if (DATA.has(key)) copy[key] = value as JsonValue;
    else if (BY_NAME.has(key) && isObject(value)) copy[key] = cleanEach(value, extent, depth + 1);
    else copy[key] = clean(value, extent, depth + 1);
  }
  return copy;
}

function cleanEach(schemas: Record<string, unknown>, extent: Extent, depth: number): JsonValue {
  const copy: Record<string, JsonValue> = Object.create(null);
  for (const [name, schema] of Object.entries(schemas)) copy[name] = clean(schema, extent, depth);
  return copy;
}

/** Returns false for allowed values that take long to compare with. */
function isSmallData(key: string, value: unknown): boolean {
  if (key === "const") return typeof value !== "object";
  if (key !== "enum") return true;
  return Array.isArray(value) && value.length <= 100 && value.every((one) => !isObject(one));
}

function patternsOf(key: string, value: unknown): string[] {
  if (key === "pattern" && typeof value === "string") return [value];
  return key === "patternProperties" && isObject(value) ? Object.keys(value) : [];
}

function usable(pattern: string, extent: Extent): boolean {
  const last = extent.patterns.get(pattern);
  if (last !== undefined || pattern.length > MAX_PATTERN) return last ?? false;
  extent.left -= pattern.length;
  const isUsable = extent.left >= 0 && safeRegex(pattern) &&
    attempt(() => new RegExp(pattern, "u")) !== undefined; // not a pattern
  extent.patterns.set(pattern, isUsable);
  return isUsable;
}
