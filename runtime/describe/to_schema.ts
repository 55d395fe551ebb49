/** Converts checked types to JSON Schema. */

import type { JsonObject, JsonValue } from "#base";
import { readHints } from "./hints.ts";
import {
  ELEMENT,
  OBJECT_REFERENCE,
  type Questions,
  SYMBOL,
  TYPE,
  type TypeInfo,
} from "./questions.ts";
import type { SymbolInfo } from "./questions.ts";

const MOST_TYPES = 2_000;
const MAX_DEPTH = 16;
/** Schemas of platform classes in JSON. */
const PLATFORM_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  Date: { type: "string", format: "date-time" },
  URL: { type: "string", format: "uri" },
};

/** Converts the types of one tool; recursive types go to `definitions`. */
export class SchemaWriter {
  readonly #ask: Questions;
  /** Tells whether a file belongs to the compiler or the platform. */
  readonly #isForeign: (file: string) => boolean;
  readonly #open = new Map<number, { name?: string }>();
  readonly #definitions = new Map<string, JsonObject>();
  #remaining = MOST_TYPES;

  constructor(ask: Questions, { isForeign }: { readonly isForeign: (file: string) => boolean }) {
    this.#ask = ask;
    this.#isForeign = isForeign;
  }

  /** Complete schema with the definitions that it needs. */
  async whole(type: TypeInfo): Promise<JsonObject> {
    this.#definitions.clear();
    return this.withDefinitions(await this.write(type));
  }

  withDefinitions(schema: JsonObject): JsonObject {
    if (this.#definitions.size === 0) return schema;
    return { ...schema, $defs: Object.fromEntries(this.#definitions) };
  }

  /** Schema of a type; `{}` for a type that JSON Schema cannot express. */
  async write(type: TypeInfo, depth = 0): Promise<JsonObject> {
    const { flags } = type;
    if (this.#remaining-- <= 0 || depth > MAX_DEPTH) return {};
    if (flags & (TYPE.string | TYPE.templateLiteral | TYPE.stringMapping)) {
      return { type: "string" };
    }
    if (flags & TYPE.number) return { type: "number" };
    if (flags & TYPE.boolean) return { type: "boolean" };
    if (flags & TYPE.bigint) return { type: "integer" };
    if (flags & TYPE.null) return { type: "null" };
    if (isLiteral(type)) return { const: type.value ?? null };
    if (flags & TYPE.booleanLiteral) return { const: literalOf(type) };
    if (flags & TYPE.union) return await this.#union(type, depth);
    if (flags & TYPE.typeParameter) {
      const constraint = await this.#ask.constraintOf(type);
      return constraint && constraint.id !== type.id ? await this.write(constraint, depth + 1) : {};
    }
    if (flags & (TYPE.object | TYPE.intersection)) return await this.#object(type, depth);
    if (flags & TYPE.nonPrimitive) return { type: "object" };
    return {};
  }

  async #union(type: TypeInfo, depth: number): Promise<JsonObject> {
    const parts = await this.#ask.partsOf(type);
    const members = parts.filter(({ flags }) => (flags & (TYPE.undefined | TYPE.void)) === 0);
    const bools = members.filter(({ flags }) => flags & TYPE.booleanLiteral);
    const literals = members.filter(isLiteral).map(({ value }) => value ?? null);
    const others = members.filter((part) => !isLiteral(part) && !bools.includes(part));
    const schemas: JsonObject[] = [];
    if (literals.length > 0) schemas.push(enumOf(literals));
    if (bools.length === 2) schemas.push({ type: "boolean" });
    else if (bools[0]) schemas.push({ const: literalOf(bools[0]) });
    for (const part of others) schemas.push(await this.write(part, depth + 1));
    return joined(schemas);
  }

  async #object(type: TypeInfo, depth: number): Promise<JsonObject> {
    if ((type.objectFlags ?? 0) & OBJECT_REFERENCE) {
      if (await this.#ask.isArray(type)) return await this.#array(type, depth);
      if (await this.#ask.isTuple(type)) return await this.#tuple(type, depth);
    }
    const symbol = await this.#ask.symbolOf(type);
    if (symbol && this.#isLibrary(symbol)) return PLATFORM_SCHEMAS[symbol.name] ?? {};
    if ((await this.#ask.signaturesOf(type)).length > 0) return {};
    const open = this.#open.get(type.id);
    if (open) {
      open.name ??= this.#nameOf(symbol);
      return { $ref: `#/$defs/${open.name}` };
    }
    const state: { name?: string } = {};
    this.#open.set(type.id, state);
    const schema = await this.properties(type, depth);
    this.#open.delete(type.id);
    if (state.name === undefined) return schema;
    this.#definitions.set(state.name, schema);
    return { $ref: `#/$defs/${state.name}` };
  }

  /** Properties of an object, with the keywords from their comments. */
  async properties(type: TypeInfo, depth = 0): Promise<JsonObject> {
    const properties: Record<string, JsonValue> = {};
    const required: string[] = [];
    for (const symbol of await this.#ask.propertiesOf(type)) {
      if (symbol.name.startsWith("__@") || symbol.flags & SYMBOL.method) continue;
      const property = await this.#property(symbol, depth);
      if (!property) continue;
      setOwn(properties, symbol.name, property.schema);
      if (!property.isOptional) required.push(symbol.name);
    }
    const index = await this.#ask.indexOf(type);
    const others = index ? await this.write(index, depth + 1) : undefined;
    return {
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...(others ? { additionalProperties: others } : {}),
    };
  }

  async #property(symbol: SymbolInfo, depth: number) {
    const type = await this.#ask.typeOf(symbol);
    const signatures = type.flags & TYPE.object ? await this.#ask.signaturesOf(type) : [];
    if (signatures.length > 0 && !await this.#ask.indexOf(type)) return undefined;
    const schema = await this.write(type, depth + 1);
    const hints = readHints(await this.#ask.textOf(symbol), await this.#ask.tagsOf(symbol));
    const isOptional = (symbol.flags & SYMBOL.optional) !== 0 || await this.mayBeMissing(type);
    return { schema: { ...schema, ...hints }, isOptional };
  }

  async mayBeMissing(type: TypeInfo): Promise<boolean> {
    if (type.flags & (TYPE.undefined | TYPE.void)) return true;
    if ((type.flags & TYPE.union) === 0 || type.flags & TYPE.boolean) return false;
    return (await this.#ask.partsOf(type)).some(({ flags }) => flags & TYPE.undefined);
  }

  async #array(type: TypeInfo, depth: number): Promise<JsonObject> {
    const [item] = await this.#ask.argumentsOf(type);
    return { type: "array", ...(item ? { items: await this.write(item, depth + 1) } : {}) };
  }

  async #tuple(type: TypeInfo, depth: number): Promise<JsonObject> {
    const { elementFlags = [] } = await this.#ask.targetOf(type);
    const items: JsonObject[] = [];
    let rest: JsonObject | undefined;
    for (const [index, item] of (await this.#ask.argumentsOf(type)).entries()) {
      const schema = await this.write(item, depth + 1);
      if ((elementFlags[index] ?? 0) & (ELEMENT.rest | ELEMENT.variadic)) rest = schema;
      else items.push(schema);
    }
    const minItems = elementFlags.filter((flags) => flags & ELEMENT.required).length;
    const schema = { type: "array", prefixItems: items, minItems };
    return rest ? { ...schema, items: rest } : { ...schema, maxItems: items.length };
  }

  /** Tells whether a type is a class or an interface of the platform, whose properties are not
   * data. */
  #isLibrary({ declarations = [], flags }: SymbolInfo): boolean {
    if ((flags & (SYMBOL.class | SYMBOL.interface)) === 0) return false;
    const [first] = declarations;
    return first !== undefined && this.#isForeign(first.split(".").slice(2).join("."));
  }

  #nameOf(symbol: SymbolInfo | undefined): string {
    const name = symbol && /^\w+$/.test(symbol.name) && !symbol.name.startsWith("__")
      ? symbol.name
      : "Type";
    let free = name;
    const names = [...this.#open.values()].map((state) => state.name);
    for (let n = 2; this.#definitions.has(free) || names.includes(free); n++) free = `${name}${n}`;
    return free;
  }
}

/** Sets a property of any name, `__proto__` included. */
function setOwn(target: Record<string, JsonValue>, name: string, value: JsonValue): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function isLiteral({ flags }: TypeInfo): boolean {
  return (flags & (TYPE.stringLiteral | TYPE.numberLiteral)) !== 0;
}

function literalOf({ value, intrinsicName }: TypeInfo): boolean {
  return typeof value === "boolean" ? value : intrinsicName === "true";
}

function enumOf(values: readonly JsonValue[]): JsonObject {
  if (values.every((value) => typeof value === "string")) return { type: "string", enum: values };
  const numbers = values.every((value) => typeof value === "number");
  return numbers ? { type: "number", enum: values } : { enum: values };
}

/** Joins schemas; those with nothing but a type become one list of types. */
function joined(schemas: readonly JsonObject[]): JsonObject {
  const [first = {}] = schemas;
  if (schemas.length < 2) return first;
  if (schemas.some((schema) => Object.keys(schema).length === 0)) return {};
  const types = schemas.map(({ type }) => type);
  const plain = schemas.every((schema) => Object.keys(schema).length === 1) &&
    types.every((type) => typeof type === "string");
  return plain ? { type: types as string[] } : { anyOf: schemas };
}
