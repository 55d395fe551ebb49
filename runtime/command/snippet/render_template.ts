/** Renders a snippet's body, with a mark in the place of every value. */

import type { JsonValue } from "#base";
import { isSafeText, renderSafely, TemplateError } from "#packs/template";
import { freeName } from "../../syntax/free_name.ts";

export { TemplateError };

/** Text of a template with marks, and the value of each mark. */
export interface Rendered {
  readonly text: string;
  readonly values: readonly JsonValue[];
  /** Matches marks; the first group is the index of the value. */
  readonly mark: RegExp;
}

const MAX_VALUES = 10_000;
/** Limit of the values within all inserted values. */
const MAX_PARTS = 1_000_000;
const MAX_TEXT = 1_000_000;

/** Text of a value as JSON; in code, the value itself. */
class JsonText {
  readonly value: JsonValue;
  constructor(value: JsonValue) {
    this.value = value;
  }
  toString(): string {
    return JSON.stringify(this.value);
  }
}

/** Only marks are inserted, so the template engine escapes nothing. */
function filtersOf(plain: (value: unknown) => JsonValue) {
  const dump = (value: unknown) => new JsonText(plain(value));
  return { safe: (value: unknown) => value, dump, tojson: dump };
}

/** Renders a template; it may use no names but those in `values`. */
export function renderTemplate(
  body: string,
  values: Readonly<Record<string, JsonValue>>,
): Rendered {
  const prefix = freeName("__value", body);
  const inserted: JsonValue[] = [];
  const plain = createPlain();
  let room = MAX_TEXT;
  const insert = (value: unknown) => {
    const data = plain(value);
    room -= typeof data === "string" ? data.length : 1;
    if (room < 0) throw tooLong();
    if (inserted.push(data) > MAX_VALUES) {
      throw new TemplateError(`The template inserts more than ${MAX_VALUES} values`);
    }
    return `${prefix}${inserted.length - 1}_`;
  };
  const text = renderSafely(body, {
    has: (name) => Object.hasOwn(values, name),
    lookup: (name) => lookup(name, values),
    insert,
    filters: filtersOf(plain),
    kind: "snippets",
  });
  if (text.length > MAX_TEXT) throw tooLong();
  return { text, values: inserted, mark: new RegExp(`${prefix}(\\d+)_`, "g") };
}

function tooLong(): TemplateError {
  return new TemplateError(`The template gives more than ${MAX_TEXT} characters`);
}

function lookup(name: string, values: Readonly<Record<string, JsonValue>>): JsonValue {
  if (Object.hasOwn(values, name)) return values[name] ?? null;
  throw new TemplateError(`The template uses "${name}", which is not one of its parameters`);
}

/** Makes the function that reads a value as plain data. A template can put a list into itself over and
 * over, so all values together have a limit. */
function createPlain(): (value: unknown) => JsonValue {
  let left = MAX_PARTS;
  return function plain(value) {
    if (--left < 0) throw new TemplateError(`The template inserts more than ${MAX_PARTS} values`);
    return plainOf(value, plain);
  };
}

function plainOf(value: unknown, plain: (value: unknown) => JsonValue): JsonValue {
  if (value instanceof JsonText) return value.value;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null) return null;
  // The filter "safe" returns an object instead of a string.
  if (isSafeText(value)) return String(value);
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
