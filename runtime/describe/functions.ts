/** Describes the exported functions of a checked module as tools. */

import type { JsonObject, JsonValue } from "#base";
import type { ArgumentForm, DescribedTool } from "#packs";
import { type ParameterSyntax, readFunctions } from "./defaults.ts";
import { INDEX_FILE, INDEX_POSITION } from "./disk.ts";
import { effectOfTags, readParams } from "./hints.ts";
import {
  OBJECT_REFERENCE,
  type Questions,
  SIGNATURE_REST,
  type SignatureInfo,
  SYMBOL,
  type SymbolInfo,
  TYPE,
  type TypeInfo,
} from "./questions.ts";
import { SchemaWriter } from "./to_schema.ts";

export interface FunctionsDeps {
  readonly ask: Questions;
  /** Text of a file of the module, by its name on the virtual disk. */
  readonly textOf: (file: string) => string | undefined;
  readonly isForeign: (file: string) => boolean;
}

/** Describes each exported function as a tool, except `default`, which has no name. */
export async function readTools(deps: FunctionsDeps): Promise<DescribedTool[]> {
  const tools: DescribedTool[] = [];
  const module = { file: INDEX_FILE, position: INDEX_POSITION };
  for (const exported of await deps.ask.exportsOf(module)) {
    if (exported.name === "default") continue;
    const symbol = await deps.ask.resolveAlias(exported);
    if ((symbol.flags & SYMBOL.value) === 0) continue;
    const [signature] = await deps.ask.signaturesOf(await deps.ask.typeOf(symbol));
    if (signature) tools.push(await readTool(exported.name, { symbol, signature, deps }));
  }
  return tools;
}

interface FunctionSource {
  readonly symbol: SymbolInfo;
  readonly signature: SignatureInfo;
  readonly deps: FunctionsDeps;
}

async function readTool(name: string, source: FunctionSource): Promise<DescribedTool> {
  const { symbol, signature, deps } = source;
  const { ask, isForeign } = deps;
  const [text, tags] = await Promise.all([ask.textOf(symbol), ask.tagsOf(symbol)]);
  const effect = effectOfTags(tags);
  const writer = new SchemaWriter(ask, { isForeign });
  const { inputSchema, form } = await readInput({ ...source, writer, about: readParams(tags) });
  const result = await unwrapPromise(await ask.returnTypeOf(signature), ask);
  const outputSchema = await new SchemaWriter(ask, { isForeign }).whole(result);
  return {
    spec: {
      name,
      description: text.trim(),
      inputSchema,
      ...(effect ? { effect } : {}),
      ...(Object.keys(outputSchema).length > 0 ? { outputSchema } : {}),
    },
    form,
  };
}

interface InputSource extends FunctionSource {
  readonly writer: SchemaWriter;
  readonly about: ReadonlyMap<string, string>;
}

interface Input {
  readonly inputSchema: JsonObject;
  readonly form: ArgumentForm;
}

async function readInput(source: InputSource): Promise<Input> {
  const { signature, deps: { ask }, symbol } = source;
  const parameters = await ask.parametersOf(signature);
  const syntax = syntaxOf(symbol, source.deps);
  const [only] = parameters;
  const hasRest = (signature.flags & SIGNATURE_REST) !== 0;
  if (only && parameters.length === 1 && !hasRest) {
    const type = await withoutUndefined(await ask.typeOf(only), ask);
    if (type && await isRecord(type, ask)) return await readObject({ ...source, type, syntax });
  }
  return await readPositional({ ...source, parameters, syntax, hasRest });
}

/** Parameters of a function with one object: its properties. */
async function readObject(
  { writer, type, syntax, about }: InputSource & {
    readonly type: TypeInfo;
    readonly syntax: readonly ParameterSyntax[];
  },
): Promise<Input> {
  const schema = await writer.properties(type);
  const [own] = syntax;
  const properties: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(schema.properties as JsonObject)) {
    const parameter = own?.properties.get(name);
    const description = own?.name === undefined
      ? about.get(name)
      : about.get(`${own.name}.${name}`);
    properties[name] = {
      ...(description === undefined ? {} : { description }),
      ...(property as JsonObject),
      ...(parameter?.fallback === undefined ? {} : { default: parameter.fallback }),
    };
  }
  const required = own?.isOptional ? [] : (schema.required as string[] | undefined ?? [])
    .filter((name) => !own?.properties.has(name));
  const { required: _, ...rest } = schema;
  const inputSchema = writer.withDefinitions({
    additionalProperties: false,
    ...rest,
    properties,
    ...(required.length > 0 ? { required } : {}),
  });
  return { inputSchema, form: { kind: "object" } };
}

async function readPositional(
  { deps: { ask }, writer, about, parameters, syntax, hasRest }: InputSource & {
    readonly parameters: readonly SymbolInfo[];
    readonly syntax: readonly ParameterSyntax[];
    readonly hasRest: boolean;
  },
): Promise<Input> {
  const properties: Record<string, JsonValue> = {};
  const required: string[] = [];
  const names: string[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const own = syntax[index];
    const name = own?.name ??
      (parameter.name.startsWith("__") ? `arg${index + 1}` : parameter.name);
    names.push(name);
    const type = await ask.typeOf(parameter);
    const text = (await ask.textOf(parameter)).trim().replace(/^-\s+/, "") || about.get(name);
    properties[name] = {
      ...await writer.write(type),
      ...(text === undefined ? {} : { description: text }),
      ...(own?.fallback === undefined ? {} : { default: own.fallback }),
    };
    const isRest = hasRest && index === parameters.length - 1;
    if (!isRest && !own?.isOptional && !await writer.mayBeMissing(type)) required.push(name);
  }
  const inputSchema = writer.withDefinitions({
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  });
  return { inputSchema, form: { kind: "positional", names, rest: hasRest } };
}

function syntaxOf(
  { name, valueDeclaration = "" }: SymbolInfo,
  { textOf }: FunctionsDeps,
): readonly ParameterSyntax[] {
  const text = textOf(valueDeclaration.split(".").slice(2).join("."));
  return text === undefined ? [] : readFunctions(text).get(name) ?? [];
}

async function withoutUndefined(type: TypeInfo, ask: Questions): Promise<TypeInfo | undefined> {
  if ((type.flags & TYPE.union) === 0) return type;
  const parts = (await ask.partsOf(type)).filter(({ flags }) => (flags & TYPE.undefined) === 0);
  return parts.length === 1 ? parts[0] : undefined;
}

/** Tells whether a type is an object of named values: not an array, function or class of the
 * platform. */
async function isRecord(type: TypeInfo, ask: Questions): Promise<boolean> {
  if ((type.flags & (TYPE.object | TYPE.intersection)) === 0) return false;
  if ((type.objectFlags ?? 0) & OBJECT_REFERENCE) {
    if (await ask.isArray(type) || await ask.isTuple(type)) return false;
  }
  if ((await ask.signaturesOf(type)).length > 0) return false;
  const symbol = await ask.symbolOf(type);
  return !["Date", "Map", "Set", "URL", "RegExp"].includes(symbol?.name ?? "");
}

async function unwrapPromise(type: TypeInfo, ask: Questions): Promise<TypeInfo> {
  const symbol = await ask.symbolOf(type);
  const isPromise = symbol?.name === "Promise" || symbol?.name === "PromiseLike";
  if (!isPromise || ((type.objectFlags ?? 0) & OBJECT_REFERENCE) === 0) return type;
  const [inner] = await ask.argumentsOf(type);
  return inner ? await unwrapPromise(inner, ask) : type;
}
