/** Expands a snippet with its values into a command (RUN-31). */

import { attempt, isObject, type JsonValue } from "#base";
import { fullNames } from "../dialect/arguments.ts";
import { placeValues } from "./place_values.ts";
import { renderTemplate, TemplateError } from "./render_template.ts";
import type { SnippetAnswer, SnippetDefinition, SnippetParam } from "../types.ts";

/** Error for a snippet that cannot be expanded with its arguments. */
export class SnippetError extends Error {
  override readonly name = "SnippetError";
}

/** Expands a snippet. No value becomes code: in quotes of the template it is string content,
 * elsewhere a literal. Throws `SnippetError`.
 *
 * @example
 * ```ts
 * const snippet = { params: { q: {} }, body: 'brave.search(query="about {{ q }}")' };
 * console.assert(
 *   expandSnippet(snippet, { q: 'a "b"' }) === 'brave.search(query="about a \\"b\\"")',
 * );
 * ```
 */
export function expandSnippet(
  definition: SnippetDefinition,
  values: Readonly<Record<string, JsonValue>>,
  { name = "snippet" }: { readonly name?: string } = {},
): string {
  const bound = bind(definition, values, name);
  try {
    return placeValues(renderTemplate(definition.body, bound));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new SnippetError(`Cannot expand "${name}": ${error.message}`, { cause: error });
  }
}

/** The expanded snippet, or the reason why it cannot be expanded, as plain data. */
export function answerSnippet(
  definition: SnippetDefinition,
  values: Readonly<Record<string, JsonValue>>,
): SnippetAnswer {
  try {
    return { kind: "expanded", command: expandSnippet(definition, values) };
  } catch (error) {
    if (!(error instanceof SnippetError || error instanceof RangeError)) throw error;
    return { kind: "failed", message: error.message };
  }
}

/** List of parameters for an error: `q1 (required), p = "Compare"`. */
export function listParams({ params }: SnippetDefinition): string {
  const listed = Object.entries(params).map(([name, { default: value, description }]) => {
    const text = value === undefined ? `${name} (required)` : `${name} = ${JSON.stringify(value)}`;
    return description ? `${text}: ${description}` : text;
  });
  return listed.join(", ") || "none";
}

function bind(
  definition: SnippetDefinition,
  values: Readonly<Record<string, JsonValue>>,
  name: string,
): Record<string, JsonValue> {
  const { params } = definition;
  const fail = (problem: string) =>
    new SnippetError(`Cannot expand "${name}": ${problem}: parameters: ${listParams(definition)}`);
  const keys = Object.keys(values);
  const names = fullNames(keys, Object.keys(params), []);
  const unknown = names.find((key) => !Object.hasOwn(params, key));
  if (unknown !== undefined) throw fail(`no parameter "${unknown}"`);
  const bound = new Map(names.map((key, index) => [key, values[keys[index] ?? ""]]));
  const entries = Object.entries(params).map(([key, param]): [string, JsonValue] => {
    const value = bound.has(key) ? bound.get(key) : param.default;
    if (value === undefined) throw fail(`missing "${key}"`);
    const typed = coerce(value, param.type);
    if (typed === undefined) throw fail(`"${key}" is not of type ${param.type}`);
    return [key, typed];
  });
  return Object.fromEntries(entries);
}

/** Converts a value to the type of its parameter; undefined where it does not fit. */
function coerce(value: JsonValue, type: SnippetParam["type"]): JsonValue | undefined {
  switch (type) {
    case undefined:
      return value;
    case "string":
      return typeof value === "string" ? value : isPlain(value) ? String(value) : undefined;
    case "number":
    case "integer": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      const fits = type === "integer" ? Number.isInteger(number) : Number.isFinite(number);
      return fits ? number : undefined;
    }
    case "boolean":
      if (typeof value === "boolean") return value;
      return /^true$/i.test(String(value))
        ? true
        : /^false$/i.test(String(value))
        ? false
        : undefined;
    case "array": {
      const list = parsed(value);
      return Array.isArray(list) ? list : undefined;
    }
    case "object": {
      const object = parsed(value);
      return isObject(object) && !Array.isArray(object) ? object : undefined;
    }
    default:
      return type satisfies never;
  }
}

function isPlain(value: JsonValue): boolean {
  return typeof value === "number" || typeof value === "boolean";
}

function parsed(value: JsonValue): JsonValue | undefined {
  if (typeof value !== "string") return value;
  // Text that is not JSON is neither a list nor an object.
  return attempt(() => JSON.parse(value));
}
