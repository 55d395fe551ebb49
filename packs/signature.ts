/** A tool's signature in one line, for errors and help (OT-06). */

import { isObject } from "#sandbox";
import type { JsonSchema, ToolSpec } from "./types.ts";

const MAX_DEPTH = 3;
const MAX_MEMBERS = 12;
const MAX_TEXT = 160;

/** Parameter names in signature order: those of the schema, required ones first. */
export function parameterNames(schema: JsonSchema): string[] {
  const properties = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const required = new Set(requiredNames(schema));
  return [
    ...properties.filter((name) => required.has(name)),
    ...properties.filter((name) => !required.has(name)),
  ];
}

/** `github.search(query: string, repo?: string = '...')`. Never throws, whatever the schema. */
export function signature(pack: string, spec: ToolSpec): string {
  const required = new Set(requiredNames(spec.inputSchema));
  const properties = isObject(spec.inputSchema.properties) ? spec.inputSchema.properties : {};
  const parameters = parameterNames(spec.inputSchema).map((name) => {
    const schema = properties[name];
    const type = typeText(schema, 0);
    if (required.has(name)) return `${name}: ${type}`;
    const fallback = isObject(schema) && schema.default !== undefined
      ? clip(JSON.stringify(schema.default))
      : "'...'";
    return `${name}?: ${type} = ${fallback}`;
  });
  return `${pack}.${spec.name}(${parameters.join(", ")})`;
}

/** A schema's type in one line, in TypeScript terms. Never throws, whatever the schema. */
export function schemaType(schema: JsonSchema): string {
  return typeText(schema, 0);
}

function requiredNames(schema: JsonSchema): string[] {
  const required = schema.required;
  return Array.isArray(required)
    ? required.filter((name): name is string => typeof name === "string")
    : [];
}

function typeText(schema: unknown, depth: number): string {
  if (!isObject(schema) || depth > MAX_DEPTH) return "any";
  if (Array.isArray(schema.enum)) return literals(schema.enum);
  if ("const" in schema) return literals([schema.const]);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) return union(branches.map((branch) => typeText(branch, depth + 1)));
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => typeText({ ...schema, type }, depth + 1)));
  }
  return namedType(schema, depth);
}

function namedType(schema: Record<string, unknown>, depth: number): string {
  switch (schema.type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
      return "number";
    case "array":
      return arrayText(typeText(schema.items, depth + 1));
    case "object":
      return objectText(schema, depth);
    default:
      return isObject(schema.properties) ? objectText(schema, depth) : "any";
  }
}

function arrayText(item: string): string {
  return item.includes(" ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
}

function objectText(schema: Record<string, unknown>, depth: number): string {
  if (!isObject(schema.properties) || depth >= MAX_DEPTH - 1) return "object";
  const required = new Set(requiredNames(schema as JsonSchema));
  const names = Object.keys(schema.properties);
  if (names.length === 0) return "object";
  const members = names.slice(0, MAX_MEMBERS).map((name) => {
    const mark = required.has(name) ? "" : "?";
    return `${name}${mark}: ${typeText(schema.properties?.[name as never], depth + 1)}`;
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
