/** Example of a tool's call, made from its schema. */

import { isObject, type JsonObject, type JsonValue } from "#base";
import { type JsonSchema, parameterNames, parameterSchema } from "#packs";

/** Characters of one value, and of the arguments together. */
const VALUE = 80;
const CALL = 300;

/** Writes `github.search(query="...")`: the call with its required arguments, or as the schema's own
 * example has it. */
export function exampleCall(tool: string, schema: JsonSchema): string {
  const samples = Object.entries(ownExample(schema) ?? samplesOf(schema)).map(([name, value]) => {
    return [name, JSON.stringify(value)] as const;
  });
  // A name that code cannot have stands in an object.
  const isPlain = samples.every(([name]) => /^[A-Za-z_$][\w$]*$/.test(name));
  const args = isPlain
    ? samples.map(([name, value]) => `${name}=${value}`).join(", ")
    : `{${samples.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(", ")}}`;
  return `${tool}(${args})`;
}

/** Returns true if the schema has an example of the call: as a whole, or of what is required. */
export function hasExample(schema: JsonSchema): boolean {
  if (ownExample(schema)) return true;
  const names = Object.keys(samplesOf(schema));
  return names.some((name) => examplesOf(parameterSchema(schema, name)).length > 0) &&
    names.every((name) => knownSample(parameterSchema(schema, name)) !== undefined);
}

/** The arguments of an example that the schema has for the whole call. */
function ownExample(schema: JsonSchema): JsonObject | undefined {
  return examplesOf(schema).filter((example): example is JsonObject => isObject(example)).find(
    (example) => {
      return Object.keys(example).length > 0 && JSON.stringify(example).length <= CALL;
    },
  );
}

/** A value for each argument that is required, or that has an example. */
function samplesOf(schema: JsonSchema): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.fromEntries(
    parameterNames(schema).flatMap((name) => {
      const own = parameterSchema(schema, name);
      const isShown = required.includes(name) || examplesOf(own).length > 0;
      return isShown ? [[name, knownSample(own) ?? placeholder(own)]] : [];
    }),
  );
}

function examplesOf({ examples, example }: JsonObject): readonly JsonValue[] {
  if (Array.isArray(examples)) return examples;
  return example === undefined ? [] : [example];
}

/** A value that the schema itself names, where it is short. */
function knownSample(schema: JsonObject): JsonValue | undefined {
  const choices = Array.isArray(schema.enum) ? schema.enum : [];
  return [schema.const, ...examplesOf(schema), schema.default, ...choices].find((value) => {
    return value !== undefined && JSON.stringify(value).length <= VALUE;
  });
}

function placeholder(schema: JsonObject): JsonValue {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const values = { number: 1, integer: 1, boolean: true, array: [], object: {}, null: null };
  return new Map<unknown, JsonValue>(Object.entries(values)).get(type) ?? "...";
}
