/** From a run's value to text, in the format that was asked for (RUN-14 to 17, 50 to 57). */

import { dump } from "js-yaml";
import type { JsonValue } from "#base";
import { type Format, FORMATS } from "./format_names.ts";

/** Deeper values cannot be written by recursion; the sandbox itself stops at 400. */
const MAX_DEPTH = 500;
const YAML = { lineWidth: -1, noRefs: true } as const;

/** The format of that name; an unknown one is `json`. */
export function asFormat(name: string | undefined): Format {
  return FORMATS.find((format) => format === name) ?? "json";
}

/** Writes a value once, as it is: strings unchanged, everything else in the format. Never throws.
 *
 * @example
 * ```ts
 * import { serialiseResult } from "#runtime";
 * console.assert(serialiseResult({ a: [1, "x"] }) === '{"a":[1,"x"]}');
 * console.assert(serialiseResult({ a: [1, "x"] }, "yml") === "{a: [1, x]}");
 * ```
 */
export function serialiseResult(value: JsonValue, format?: string): string {
  if (typeof value === "string") return value;
  const write = WRITERS[asFormat(format)];
  try {
    return write(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return write(clipped(value, 0));
  }
}

/** Writes what `ot` answered as YAML: an object in one line, a list with a line for each object,
 * at most two levels of flow, text of several lines as it is (OT-22, 23). Never throws.
 *
 * @example
 * ```ts
 * import { serializeLookup } from "#runtime";
 * console.assert(serializeLookup({ a: [1, "x"] }) === "{a: [1, x]}");
 * console.assert(serializeLookup([{ a: 1 }, { a: 2 }]) === "- {a: 1}\n- {a: 2}");
 * ```
 */
export function serializeLookup(value: JsonValue): string {
  if (typeof value === "string") return value;
  const snippets = snippetText(value);
  if (snippets !== undefined) return snippets;
  const { depth, isLong } = shapeOf(value);
  const isListOfObjects = Array.isArray(value) && depth > 1;
  // What a reload says comes first, on a line of its own (OT-14).
  const isBlock = isListOfObjects || Object.keys(value ?? {})[0] === "OK";
  const level = Math.max(depth - (isLong ? 1 : 2), isBlock ? 1 : 0);
  return withoutEnd(dump(value, { ...YAML, flowLevel: level }));
}

/** Depth of a value, and a flag: an object or a list holds a text of several lines. */
function shapeOf(value: JsonValue): { depth: number; isLong: boolean } {
  if (typeof value === "string") return { depth: 0, isLong: value.includes("\n") };
  if (typeof value !== "object" || value === null) return { depth: 0, isLong: false };
  let depth = 0;
  let isLong = false;
  for (const item of Object.values(value)) {
    const inner = shapeOf(item);
    depth = Math.max(depth, inner.depth);
    isLong ||= inner.isLong;
  }
  return { depth: depth + 1, isLong };
}

const WRITERS = {
  json: (value) => JSON.stringify(value),
  json_h: (value) => JSON.stringify(value, null, 2),
  yml: (value) => withoutEnd(dump(value, { ...YAML, flowLevel: 0 })),
  yml_h: (value) => withoutEnd(dump(value, YAML)),
  raw: (value) => typeof value === "object" ? JSON.stringify(value, null, 2) : String(value),
} satisfies Record<Format, (value: JsonValue) => string>;

function withoutEnd(yaml: string): string {
  return yaml.endsWith("\n") ? yaml.slice(0, -1) : yaml;
}

function clipped(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[Too deep]";
  if (Array.isArray(value)) return value.map((item: JsonValue) => clipped(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, clipped(item, depth + 1)]),
  );
}

const KEYS = "name,description,params,body,example,expands_to";
/** Level from which YAML is written in flow style, so that a parameter takes one line. */
const FLOW_LEVEL = 2;

/** One snippet or a list of them, or undefined where a value is something else. */
function snippetText(value: JsonValue): string | undefined {
  const snippets: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  if (snippets.length === 0 || !snippets.every(isSnippet)) return undefined;
  const isList = Array.isArray(value);
  const flowLevel = FLOW_LEVEL + (isList ? 1 : 0);
  // What stands inside a text or a parameter is indented deeper than a snippet's own keys.
  const key = (name: string) => new RegExp(`^${isList ? "  " : ""}${name}:`, "gm");
  return dump(value, { lineWidth: -1, noRefs: true, flowLevel }).trimEnd()
    .replaceAll(key("example"), commented("Example with defaults"))
    .replaceAll(key("expands_to"), commented("Expands to"));
}

/** The key below a comment, as far in as it is. */
function commented(text: string): (key: string) => string {
  return (key) => `${" ".repeat(key.length - key.trimStart().length)}# ${text}:\n${key}`;
}

function isSnippet(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).join() === KEYS;
}
