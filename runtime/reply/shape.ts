/** The type of a value in TypeScript terms, with lengths, from a bounded look at it. */

import { type JsonValue, keysOf } from "#base";

/** Shape of all values at one place together. */
interface Shape {
  readonly plain: Set<"string" | "number" | "boolean" | "null">;
  longest: number;
  lists?: { readonly element: Shape; least: number; most: number };
  objects?: { readonly fields: Map<string, Field>; seen: number; most: number };
}

interface Field {
  readonly shape: Shape;
  seen: number;
}

/** Limits on the detail of a shape. */
interface Detail {
  readonly depth: number;
  readonly fields: number;
}

const MAX_DEPTH = 8;
const MAX_FIELDS = 60;
/** Elements of a list that are looked at, some from everywhere. */
const SAMPLED = 60;
const BUDGET = 20_000;
const MAX_KEY = 60;
/** Length from which a string is described by its length. */
const LONG = 200;
/** So many fields of one type are a table rather than an object. */
const TABLE = 20;

/** Writes the shape of a value in at most `bytes` bytes, with less depth where they are few:
 * `{ id: number; tag?: string }[]`, and the list's length as a comment. */
export function shapeOf(value: JsonValue, bytes: number): string {
  const shape = createShape();
  look(value, shape, { left: BUDGET, depth: 0 });
  for (let depth = MAX_DEPTH; depth >= 0; depth--) {
    for (const fields of [MAX_FIELDS, 20, 8, 3]) {
      const text = write(shape, { depth, fields });
      if (text.length * 3 <= bytes || new TextEncoder().encode(text).length <= bytes) return text;
      if (depth === 0) break;
    }
  }
  return "";
}

function createShape(): Shape {
  return { plain: new Set(), longest: 0 };
}

interface Looking {
  left: number;
  readonly depth: number;
}

function look(value: JsonValue, shape: Shape, looking: Looking): void {
  if (typeof value === "string") {
    shape.plain.add("string");
    shape.longest = Math.max(shape.longest, value.length);
  } else if (value === null) shape.plain.add("null");
  else if (Array.isArray(value)) lookAtList(value, shape, looking);
  else if (typeof value === "object") lookAtObject(value, shape, looking);
  else shape.plain.add(typeof value === "number" ? "number" : "boolean");
}

function lookAtList(list: readonly JsonValue[], shape: Shape, looking: Looking): void {
  const { length } = list;
  const lists = shape.lists ??= { element: createShape(), least: length, most: length };
  lists.least = Math.min(lists.least, length);
  lists.most = Math.max(lists.most, length);
  if (looking.depth >= MAX_DEPTH) return;
  for (const item of sampleOf(list)) {
    if (looking.left-- <= 0) return;
    lookBelow(item, lists.element, looking);
  }
}

function lookAtObject(value: JsonValue & object, shape: Shape, looking: Looking): void {
  const keys = keysOf(value);
  const objects = shape.objects ??= { fields: new Map(), seen: 0, most: 0 };
  objects.seen++;
  objects.most = Math.max(objects.most, keys.length);
  if (looking.depth >= MAX_DEPTH) return;
  for (const key of keys.slice(0, MAX_FIELDS)) {
    if (looking.left-- <= 0) return;
    const field = objects.fields.get(key) ?? { shape: createShape(), seen: 0 };
    if (field.seen === 0 && objects.fields.size >= MAX_FIELDS) continue;
    objects.fields.set(key, field);
    field.seen++;
    lookBelow((value as Record<string, JsonValue>)[key] ?? null, field.shape, looking);
  }
}

function lookBelow(value: JsonValue, shape: Shape, looking: Looking): void {
  const below = { left: looking.left, depth: looking.depth + 1 };
  look(value, shape, below);
  looking.left = below.left;
}

/** The first of a list, and some of the rest at even distances. */
function sampleOf(list: readonly JsonValue[]): JsonValue[] {
  if (list.length <= SAMPLED) return [...list];
  const first = SAMPLED / 2;
  const step = (list.length - first) / first;
  const rest = Array.from({ length: first }, (_, index) => list[first + Math.floor(index * step)]);
  return [...list.slice(0, first), ...rest.filter((item) => item !== undefined)];
}

function write(shape: Shape, detail: Detail): string {
  const parts = [...shape.plain].map((name) =>
    name === "string" && shape.longest >= LONG ? `string /* ${shape.longest} */` : name
  );
  if (shape.objects) parts.unshift(writeObject(shape.objects, detail));
  if (shape.lists) parts.unshift(writeList(shape.lists, detail));
  return parts.length === 0 ? "unknown" : parts.join(" | ");
}

function writeList({ element, least, most }: NonNullable<Shape["lists"]>, detail: Detail): string {
  const length = `/* ${least === most ? most : `${least}-${most}`} */`;
  if (detail.depth <= 0) return `unknown[] ${length}`;
  const inner = write(element, { ...detail, depth: detail.depth - 1 });
  const isOne = !inner.includes(" | ") && !inner.endsWith("*/");
  return `${isOne || /^\{.*\}$/s.test(inner) ? inner : `(${inner})`}[] ${length}`;
}

function writeObject(objects: NonNullable<Shape["objects"]>, detail: Detail): string {
  const { fields, seen, most } = objects;
  if (most === 0) return "{}";
  if (detail.depth <= 0) return `object /* ${most} keys */`;
  const below = { ...detail, depth: detail.depth - 1 };
  const table = writeTable(objects, below);
  if (table !== undefined) return table;
  const listed = [...fields].slice(0, detail.fields).map(([key, field]) =>
    `${keyName(key)}${field.seen < seen ? "?" : ""}: ${write(field.shape, below)}`
  );
  const more = Math.max(most, fields.size) - listed.length;
  return `{ ${listed.join("; ")}${more > 0 ? ` /* ${more} more */` : ""} }`;
}

function writeTable(
  { fields, most }: NonNullable<Shape["objects"]>,
  below: Detail,
): string | undefined {
  if (most < TABLE) return undefined;
  const types = new Set(
    [...fields.values()].map(({ shape }) => write(shape, { ...below, depth: 1 })),
  );
  const [field] = fields.values();
  if (types.size > 1 || !field) return undefined;
  return `Record<string, ${write(field.shape, below)}> /* ${most} keys */`;
}

function keyName(key: string): string {
  const cut = key.length > MAX_KEY ? `${key.slice(0, MAX_KEY)}…` : key;
  return /^[A-Za-z_$][\w$]*$/.test(cut) ? cut : JSON.stringify(cut.toWellFormed());
}
