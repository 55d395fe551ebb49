/** Templates of `text.render`. */

import { isObject, type JsonObject } from "#base";
import { isSafeText, renderSafely, TemplateError } from "../../../template/mod.ts";
import { escapeUTF8 } from "entities";
import { JobRefused } from "../../../jobs/protocol.ts";

export interface TemplateInput {
  readonly template: string;
  readonly values: JsonObject;
  readonly escape: "none" | "html" | "json";
  /** True if an unknown name is empty instead of an error. */
  readonly lenient: boolean;
  readonly maxText: number;
}

/** Text that is inserted without escaping. */
class Verbatim {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

const FILTERS = {
  safe: (value: unknown) => new Verbatim(textOf(value)),
  dump: (value: unknown) => asJson(value),
  tojson: (value: unknown) => asJson(value),
};

/** Renders a template. Throws `JobRefused`. */
export function fillIn(input: TemplateInput): string {
  let room = input.maxText;
  const insert = (value: unknown) => {
    const text = escaped(value, input.escape);
    room -= text.length;
    if (room < 0) throw tooLong(input);
    return text;
  };
  try {
    const text = renderSafely(input.template, {
      has: (name) => Object.hasOwn(input.values, name),
      lookup: (name) => lookup(name, input),
      insert,
      filters: FILTERS,
      kind: "templates here",
    });
    if (text.length > input.maxText) throw tooLong(input);
    return text;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new JobRefused(error.message.replace(/^./, (first) => first.toLowerCase()));
  }
}

function lookup(name: string, { values, lenient }: TemplateInput): unknown {
  if (Object.hasOwn(values, name)) return values[name];
  if (lenient) return undefined;
  const names = Object.keys(values).slice(0, 30).join(", ") || "none";
  throw new TemplateError(
    `The template uses "${name}", which is none of the values: given: ${names}: ` +
      "pass it, or lenient=true",
  );
}

function escaped(value: unknown, escape: TemplateInput["escape"]): string {
  if (value instanceof Verbatim) return value.text;
  const text = textOf(value);
  if (escape === "html") return escapeUTF8(text);
  if (escape === "json") return JSON.stringify(text).slice(1, -1);
  return text;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Verbatim || isSafeText(value)) return String(value);
  if (Array.isArray(value) || isObject(value)) return asJson(value);
  return typeof value === "function" ? "" : String(value);
}

function asJson(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}

function tooLong({ maxText }: TemplateInput): TemplateError {
  return new TemplateError(`The template gives more than ${maxText} characters`);
}
