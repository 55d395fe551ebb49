/** A tool's signature in one line, for errors and help (OT-06). */

import { isObject, resolveReference } from "#base";
import type { JsonSchema, ToolEntry, ToolSpec } from "../types.ts";

const MAX_DEPTH = 3;
const MAX_MEMBERS = 12;
const MAX_TEXT = 160;
/** Characters of all parameters' types; a type without room is `any`. */
const MAX_TYPES = 20_000;

/** Parameter names in signature order: required ones first. */
export function parameterNames(schema: JsonSchema): string[] {
  const properties = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const required = new Set(requiredNames(schema));
  return [
    ...properties.filter((name) => required.has(name)),
    ...properties.filter((name) => !required.has(name)),
  ];
}

/** The schema of one parameter; empty for an unknown one. */
export function parameterSchema({ properties }: JsonSchema, name: string): JsonSchema {
  const schema = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : {};
  return isObject(schema) ? schema as JsonSchema : {};
}

export interface SignatureOptions {
  /** Default of optional parameters whose schema has no default (OT-06). */
  readonly placeholder?: string;
}

/** Signature such as `github.search(query: string, repo?: string = "here")`. Never throws. */
export function signature(
  pack: string,
  spec: ToolSpec,
  { placeholder }: SignatureOptions = {},
): string {
  const required = new Set(requiredNames(spec.inputSchema));
  const properties = isObject(spec.inputSchema.properties) ? spec.inputSchema.properties : {};
  const targets = Array.from({ length: MAX_DEPTH + 1 }, () => new Map<unknown, string>());
  const place = { depth: 0, root: spec.inputSchema, targets };
  let left = MAX_TYPES;
  const parameters = parameterNames(spec.inputSchema).map((name) => {
    const schema = properties[name];
    const text = typeText(schema, place);
    const type = text.length > left ? "any" : text;
    left -= type.length;
    if (required.has(name)) return `${name}: ${type}`;
    const fallback = isObject(schema) && schema.default !== undefined
      ? clip(JSON.stringify(schema.default))
      : placeholder;
    return `${name}?: ${type}${fallback === undefined ? "" : ` = ${fallback}`}`;
  });
  return `${pack}.${spec.name}(${parameters.join(", ")})`;
}

/** Signature as programs write the call: a name that is no identifier becomes its key. */
export function callSignature(entry: ToolEntry, options?: SignatureOptions): string {
  const { pack, packKey, tool, toolKey, spec } = entry;
  return signature(spelled(pack, packKey), { ...spec, name: spelled(tool, toolKey) }, options);
}

/** The name if it is an identifier, else its key. */
export function spelled(name: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : key;
}

function requiredNames(schema: JsonSchema): string[] {
  const required = schema.required;
  return Array.isArray(required)
    ? required.filter((name): name is string => typeof name === "string")
    : [];
}

/** Position of a type in a schema. */
interface Place {
  readonly depth: number;
  /** Schema that `$ref` refers to. */
  readonly root: JsonSchema;
  /** Types of what references lead to, for each depth: thousands of parameters may share one. */
  readonly targets: readonly Map<unknown, string>[];
}

function below(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

function typeText(schema: unknown, place: Place): string {
  if (!isObject(schema) || place.depth > MAX_DEPTH) return "any";
  if (typeof schema.$ref === "string") return targetText(schema.$ref, place);
  if (Array.isArray(schema.enum)) return literals(schema.enum);
  if ("const" in schema) return literals([schema.const]);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) {
    return union(branches.slice(0, MAX_MEMBERS).map((branch) => typeText(branch, below(place))));
  }
  if (Array.isArray(schema.type)) {
    const names = schema.type.slice(0, MAX_MEMBERS);
    return union(names.map((type) => typeText({ ...schema, type }, below(place))));
  }
  if (Array.isArray(schema.allOf) && schema.type === undefined) {
    const all = schema.allOf.slice(0, MAX_MEMBERS).map((part) => typeText(part, below(place)));
    return [...new Set(all.filter((text) => text !== "any"))].join(" & ") || "any";
  }
  return typeByName(schema, place);
}

/** Type of what a reference such as `#/$defs/name` leads to. */
function targetText(reference: string, place: Place): string {
  const target = resolveReference(place.root, reference);
  const targets = place.targets[place.depth];
  const text = targets?.get(target) ?? typeText(target, below(place));
  targets?.set(target, text);
  return text;
}

function typeByName(schema: Record<string, unknown>, place: Place): string {
  switch (schema.type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
      return "number";
    case "array":
      return arrayText(typeText(schema.items, below(place)));
    case "object":
      return objectText(schema, place);
    default:
      return isObject(schema.properties) ? objectText(schema, place) : "any";
  }
}

function arrayText(item: string): string {
  return item.includes(" ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
}

function objectText(schema: Record<string, unknown>, place: Place): string {
  if (!isObject(schema.properties) || place.depth >= MAX_DEPTH - 1) return "object";
  const required = new Set(requiredNames(schema as JsonSchema));
  const names = Object.keys(schema.properties);
  if (names.length === 0) return "object";
  const members = names.slice(0, MAX_MEMBERS).map((name) => {
    const mark = required.has(name) ? "" : "?";
    return `${name}${mark}: ${typeText(schema.properties?.[name as never], below(place))}`;
  });
  if (names.length > MAX_MEMBERS) members.push("…");
  return `{ ${members.join(", ")} }`;
}

function literals(values: readonly unknown[]): string {
  const texts = values.slice(0, MAX_MEMBERS).map((value) => clip(JSON.stringify(value) ?? "any"));
  if (values.length > MAX_MEMBERS) texts.push("…");
  return union(texts);
}

function union(texts: readonly string[]): string {
  return [...new Set(texts)].join(" | ") || "any";
}

function clip(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
