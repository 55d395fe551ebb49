/** Descriptions of one tool: a name to type, a line, or all details. */

import { isObject, type JsonObject, type JsonValue } from "#base";
import { callSignature, parameterNames, sourceOf, spelled, type ToolEntry } from "#packs";
import { resultType } from "../../types/result_type.ts";
import { clipText } from "../../reply/lines.ts";
import type { Info } from "./info.ts";

const BRIEF_BYTES = 200;
const EXAMPLE_BYTES = 80;

/** Name such as `github.create_issue`; in the spelling for code where the tool's own is no
 * identifier. */
export function callName(entry: ToolEntry): string {
  return `${spelled(entry.pack, entry.packKey)}.${spelled(entry.tool, entry.toolKey)}`;
}

/** The first line of a description, in 200 bytes. */
export function brief(description: string): string {
  const line = description.split("\n", 20).find((text) => text.trim() !== "") ?? "";
  return clipText(line.trim(), BRIEF_BYTES);
}

/** One tool at a level. */
export function describeTool(entry: ToolEntry, info: Info): JsonValue {
  const name = callName(entry);
  if (info === "list") return name;
  const { spec } = entry;
  if (info === "min") return { name, description: brief(spec.description) };
  const args = argumentTexts(entry);
  const { text: returns, origin } = resultType(entry);
  return {
    name,
    signature: callSignature(entry),
    description: spec.description,
    source: sourceOf(entry),
    ...(args.length > 0 ? { args } : {}),
    ...(origin === "none" ? {} : { returns }),
    example: exampleCall(entry),
  };
}

/** `query: what to look for`, for each parameter that is described. */
function argumentTexts({ spec }: ToolEntry): string[] {
  return parameterNames(spec.inputSchema).flatMap((name) => {
    const { description } = propertyOf(spec.inputSchema, name);
    return typeof description === "string" && description !== "" ? [`${name}: ${description}`] : [];
  });
}

/** Writes `github.search(query="...")`: the call with its required arguments. */
export function exampleCall(entry: ToolEntry): string {
  const { inputSchema } = entry.spec;
  const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  const names = parameterNames(inputSchema).filter((name) => required.includes(name));
  const samples = names.map((name) => [name, exampleValue(propertyOf(inputSchema, name))] as const);
  // A name that code cannot have stands in an object.
  const isPlain = names.every((name) => /^[A-Za-z_$][\w$]*$/.test(name));
  const args = isPlain
    ? samples.map(([name, value]) => `${name}=${value}`).join(", ")
    : `{${samples.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(", ")}}`;
  return `${callName(entry)}(${args})`;
}

function exampleValue(schema: JsonObject): string {
  const examples = Array.isArray(schema.examples) ? schema.examples : [];
  const choices = Array.isArray(schema.enum) ? schema.enum : [];
  const example = [schema.const, schema.default, ...examples, ...choices].find((value) => {
    return value !== undefined && JSON.stringify(value).length <= EXAMPLE_BYTES;
  });
  if (example !== undefined) return JSON.stringify(example);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const values: Readonly<Record<string, string>> = {
    number: "1",
    integer: "1",
    boolean: "true",
    array: "[]",
    object: "{}",
    null: "null",
  };
  return (typeof type === "string" && Object.hasOwn(values, type) && values[type]) || '"..."';
}

function propertyOf(schema: JsonObject, name: string): JsonObject {
  const { properties } = schema;
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : {};
  return isObject(property) && !Array.isArray(property) ? property : {};
}
