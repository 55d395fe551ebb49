/** A form made from the schema of a tool, and the arguments that it was sent with. */

import { attempt, isNestedOver, isObject, type JsonValue, MOST_LEVELS } from "#base";
import { type Args, type JsonSchema, parameterNames, parameterSchema } from "#packs";
import { HttpError } from "../problem.ts";

export type FieldKind =
  | { readonly kind: "choice"; readonly options: readonly JsonValue[] }
  | { readonly kind: "number"; readonly step: "1" | "any" }
  | { readonly kind: "text" }
  /** Anything else, as JSON. */
  | { readonly kind: "json" };

export interface Field {
  /** Name of the parameter; empty for all arguments as one JSON object. */
  readonly name: string;
  readonly type: FieldKind;
  readonly isRequired: boolean;
  readonly description: string;
  /** Text of the default, empty without one. */
  readonly fallback: string;
}

/** A tool with more parameters gets one field for all of them. */
const MOST_FIELDS = 60;
const MOST_OPTIONS = 200;
/** Name of the field that holds all arguments. */
export const ALL = "arguments";

/** Builds the fields of a tool. */
export function fieldsOf(schema: JsonSchema): readonly Field[] {
  const names = parameterNames(schema);
  if (names.length === 0 || names.length > MOST_FIELDS) {
    const description = names.length === 0 ? "" : "An object, as the schema says";
    const type = { kind: "json" } as const;
    return names.length === 0 && schema.additionalProperties === false
      ? []
      : [{ name: "", type, isRequired: false, description, fallback: "" }];
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  return names.map((name) => {
    const property = parameterSchema(schema, name);
    const { description, default: fallback } = property;
    return {
      name,
      type: typeOf(property),
      isRequired: required.includes(name),
      description: typeof description === "string" ? description : "",
      fallback: fallback === undefined ? "" : textOf(fallback),
    };
  });
}

function typeOf({ type, enum: options, const: only }: JsonSchema): FieldKind {
  if (only !== undefined && isScalar(only)) return { kind: "choice", options: [only] };
  if (Array.isArray(options) && options.length <= MOST_OPTIONS && options.every(isScalar)) {
    return { kind: "choice", options };
  }
  if (type === "boolean") return { kind: "choice", options: [true, false] };
  if (type === "integer") return { kind: "number", step: "1" };
  if (type === "number") return { kind: "number", step: "any" };
  return type === "string" ? { kind: "text" } : { kind: "json" };
}

function isScalar(value: JsonValue): boolean {
  return value === null || typeof value !== "object";
}

/** Text of a value in a field. */
export function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Name of a field's input. */
export function inputName({ name }: Pick<Field, "name">): string {
  return name === "" ? ALL : `p.${name}`;
}

/** Reads the arguments of a form that was sent. An optional field that is empty is left out. Throws 400
 * for text that is not JSON where it should be. */
export function readArguments(fields: readonly Field[], form: URLSearchParams): Args {
  const all = form.get(ALL)?.trim();
  if (all) {
    const args = parse(all, ALL);
    if (isObject(args)) return args as Args;
    throw new HttpError("bad_request", "Cannot call the tool: the arguments are not a JSON object");
  }
  const entries = fields.flatMap((field): [string, JsonValue][] => {
    const text = form.get(inputName(field)) ?? "";
    if (field.name === "" || text === "" && (!field.isRequired || field.type.kind !== "text")) {
      return [];
    }
    return [[field.name, valueOf(field, text)]];
  });
  return Object.fromEntries(entries);
}

/** Value of a field; a number that is no number stays text, which the tool's schema refuses. */
function valueOf({ name, type }: Field, text: string): JsonValue {
  switch (type.kind) {
    case "text":
      return text;
    case "choice":
      return type.options.find((option) => textOf(option) === text) ?? text;
    case "number": {
      const number = Number(text);
      return text.trim() !== "" && Number.isFinite(number) ? number : text;
    }
    case "json":
      return parse(text, name);
    default:
      return type satisfies never;
  }
}

function parse(text: string, name: string): JsonValue {
  const value = isNestedOver(text, MOST_LEVELS)
    ? undefined
    : attempt(() => JSON.parse(text) as JsonValue);
  if (value !== undefined) return value;
  throw new HttpError("bad_request", `Cannot call the tool: "${name}" is not valid JSON`);
}
