/** Converts JSON Schema to types. Takes any value, trusts nothing in it, reads nothing else, and
 * always ends: beyond a bound, the rest becomes `anything`. */

import { isObject, referenceName, resolveReference } from "#base";
import {
  ANYTHING,
  type Converted,
  type Doc,
  intersectionOf,
  NEVER,
  type Property,
  type Tag,
  type Type,
  unionOf,
} from "./ir.ts";
import { breakCircles, type Draft } from "./break_circles.ts";

/** Bounds of one schema; the largest of the servers known use a third of them. */
const MAX = {
  depth: 24,
  nodes: 3000,
  definitions: 200,
  enumValues: 500,
  literals: 5000,
  literal: 200,
  name: 200,
  tuple: 32,
  doc: 1000,
  docs: 60_000,
};

/** Keywords that let an object have properties that its `properties` do not name. */
const OPENING = ["patternProperties", "then", "else", "dependentSchemas", "unevaluatedProperties"];

interface State {
  readonly root: unknown;
  readonly drafts: Draft[];
  /** Number of the definition that each reference leads to; undefined for one that leads nowhere. */
  readonly byReference: Map<string, number | undefined>;
  readonly byTarget: Map<unknown, number>;
  /** References found and not converted yet, by their definition's number. */
  readonly waiting: { readonly definition: number; readonly schema: unknown }[];
  nodes: number;
  literals: number;
  docs: number;
}

/** Where in the schema the conversion is. */
interface Place {
  readonly state: State;
  readonly depth: number;
  /** References that stand for the whole value here, not for a part of it. */
  readonly bare: Set<number>;
}

/** Converts one schema of any shape. */
export function convertSchema(schema: unknown): Converted {
  const state: State = {
    root: schema,
    drafts: [{ name: "", type: ANYTHING, bare: new Set() }],
    byReference: new Map(),
    byTarget: new Map([[schema, 0]]),
    waiting: [{ definition: 0, schema }],
    nodes: 0,
    literals: 0,
    docs: 0,
  };
  for (let next = state.waiting.pop(); next; next = state.waiting.pop()) {
    const draft = state.drafts[next.definition];
    if (draft) draft.type = typeOf(next.schema, { state, depth: 0, bare: draft.bare });
  }
  return breakCircles(state.drafts);
}

function typeOf(schema: unknown, place: Place): Type {
  if (schema === false) return NEVER;
  const { state, depth } = place;
  // A name of `required` without a schema counts, too.
  if (++state.nodes > MAX.nodes || depth > MAX.depth || !isObject(schema)) return ANYTHING;
  const within = { ...place, depth: depth + 1 };
  const parts: Type[] = [ownType(schema, within)];
  if (typeof schema.$ref === "string") parts.push(reference(schema.$ref, within));
  for (const choice of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(choice) && choice.length > 0) {
      parts.push(unionOf(choice.map((member) => typeOf(member, within))));
    }
  }
  if (Array.isArray(schema.allOf)) {
    for (const member of schema.allOf) parts.push(typeOf(member, within));
  }
  const type = intersectionOf(parts);
  return schema.nullable === true ? unionOf([type, { kind: "primitive", name: "null" }]) : type;
}

function reference(name: string, { state, bare }: Place): Type {
  if (!state.byReference.has(name)) state.byReference.set(name, define(name, state));
  const definition = state.byReference.get(name);
  if (definition === undefined) return ANYTHING;
  bare.add(definition);
  return { kind: "reference", definition };
}

/** Number of the definition that a reference leads to: one, however many spellings lead to it. */
function define(name: string, { root, drafts, byTarget, waiting }: State): number | undefined {
  const schema = resolveReference(root, name);
  const earlier = byTarget.get(schema);
  if (earlier !== undefined) return earlier;
  if (!isObject(schema) || drafts.length >= MAX.definitions) return undefined;
  const definition = drafts.length;
  drafts.push({ name: referenceName(name), type: ANYTHING, bare: new Set() });
  byTarget.set(schema, definition);
  waiting.push({ definition, schema });
  return definition;
}

/** Converts the keywords of a schema itself, without the schemas that it combines. */
function ownType(schema: Record<string, unknown>, place: Place): Type {
  if ("const" in schema) return literalType(schema.const);
  if (Array.isArray(schema.enum)) {
    const { length } = schema.enum;
    const isOver = length > MAX.enumValues || (place.state.literals += length) > MAX.literals;
    if (isOver) return unionOf(typesByName(schema, place));
    return unionOf(schema.enum.map(literalType));
  }
  return unionOf(typesByName(schema, place));
}

function typesByName(schema: Record<string, unknown>, place: Place): Type[] {
  const names = [schema.type].flat();
  if (typeof names[0] === "string") {
    return [...new Set(names)].slice(0, 16).map((name) => typeByName(name, schema, place));
  }
  if (isObject(schema.properties)) return [objectType(schema, place)];
  if (schema.items !== undefined || Array.isArray(schema.prefixItems)) {
    return [arrayType(schema, place)];
  }
  return [ANYTHING];
}

function typeByName(name: unknown, schema: Record<string, unknown>, place: Place): Type {
  switch (name) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return { kind: "primitive", name };
    case "integer":
      return { kind: "primitive", name: "number" };
    case "array":
      return arrayType(schema, place);
    case "object":
      return objectType(schema, place);
    default:
      return ANYTHING;
  }
}

function literalType(value: unknown): Type {
  switch (typeof value) {
    case "string": {
      const plain = value.length <= MAX.literal && value.isWellFormed();
      return plain ? { kind: "literal", value } : { kind: "primitive", name: "string" };
    }
    case "number":
      return Number.isFinite(value)
        ? { kind: "literal", value }
        : { kind: "primitive", name: "number" };
    case "boolean":
      return { kind: "literal", value };
    default:
      return value === null ? { kind: "primitive", name: "null" } : ANYTHING;
  }
}

function arrayType(schema: Record<string, unknown>, place: Place): Type {
  const { items } = schema;
  const inside = { ...place, bare: new Set<number>() };
  const heads = Array.isArray(schema.prefixItems)
    ? schema.prefixItems
    : Array.isArray(items)
    ? items
    : [];
  const tail = Array.isArray(items) ? schema.additionalItems : items;
  if (heads.length === 0) return { kind: "array", item: typeOf(tail, inside) };
  if (heads.length > MAX.tuple) return { kind: "array", item: ANYTHING };
  const least = schema.minItems;
  return {
    kind: "tuple",
    items: heads.map((head) => typeOf(head, inside)),
    required: typeof least === "number" && least >= 0 ? Math.min(least, heads.length) : 0,
    rest: tail === false ? undefined : typeOf(tail, inside),
  };
}

function objectType(schema: Record<string, unknown>, place: Place): Type {
  const { state } = place;
  const inside = { ...place, bare: new Set<number>() };
  const declared = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const names = Object.keys(declared);
  for (const name of required) {
    if (typeof name === "string" && !Object.hasOwn(declared, name)) names.push(name);
  }
  const properties: Property[] = [];
  let complete = true;
  for (const name of names) {
    if (name.length > MAX.name || !name.isWellFormed() || state.nodes > MAX.nodes) {
      complete = false;
      continue;
    }
    const value = Object.hasOwn(declared, name) ? declared[name] : undefined;
    const doc = state.docs > MAX.docs ? { text: "", tags: [] } : docOf(value);
    state.docs += Math.min(doc.text.length, MAX.doc);
    const type = typeOf(value, inside);
    properties.push({ name, optional: !required.has(name), type, doc });
  }
  const others = complete ? otherProperties(schema, inside) : ANYTHING;
  return { kind: "object", properties, others: others && properties.length ? ANYTHING : others };
}

/** Type of properties beside the named ones. A schema with named properties and without
 * `additionalProperties` has no others: a typing error of the agent is likelier than an
 * omission of the server. */
function otherProperties(schema: Record<string, unknown>, place: Place): Type | undefined {
  const { additionalProperties: rule } = schema;
  if (rule === false) return undefined;
  if (rule !== undefined) return typeOf(rule, place);
  const hasProperties = isObject(schema.properties) && Object.keys(schema.properties).length > 0;
  return hasProperties && !OPENING.some((keyword) => keyword in schema) ? undefined : ANYTHING;
}

const EMPTY: Doc = { text: "", tags: [] };
const HINTS = [
  "format",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "pattern",
] as const;
const MAX_HINT = 120;

/** The comment of one property. */
export function docOf(schema: unknown): Doc {
  if (!isObject(schema)) return EMPTY;
  const tags: Tag[] = [];
  if (schema.deprecated === true) tags.push({ name: "deprecated", value: "" });
  const fallback = shortJson(schema.default);
  if (fallback !== undefined) tags.push({ name: "default", value: fallback });
  for (const name of HINTS) {
    const value = schema[name];
    if (typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER) {
      tags.push({ name, value: String(value) });
    } else if (typeof value === "string" && value !== "" && value.length <= MAX_HINT) {
      tags.push({ name, value });
    }
  }
  const text = typeof schema.description === "string" ? schema.description : "";
  return { text, tags };
}

/** A value in short, or undefined when it is long or deep. */
function shortJson(value: unknown): string | undefined {
  const flat = isObject(value) || Array.isArray(value) ? Object.values(value) : [];
  if (value === undefined || flat.length > 8 || flat.some((part) => typeof part === "object")) {
    return undefined;
  }
  const text = JSON.stringify(value);
  return text.length <= MAX_HINT ? text : undefined;
}
