/** Shape of results: names of fields and kinds of values, never values. */

import { isLarge, type JsonValue, keysOf } from "#base";

/** Kinds of a value, as bits. `deep` is a value below the last level. */
export const KIND = {
  text: 1,
  number: 2,
  boolean: 4,
  null: 8,
  list: 16,
  object: 32,
  deep: 64,
} as const;

/** All values at one place together. */
export interface Shape {
  /** Number of values. */
  seen: number;
  kinds: number;
  /** Items of the lists together. */
  items?: Shape;
  /** Number of objects. */
  objects: number;
  fields: Map<string, Shape>;
  /** Values under keys that are data. */
  rest?: Shape;
  /** True where every key is data. */
  isMap: boolean;
}

/** Bounds of a shape. */
export const MOST = { levels: 6, fields: 60, keys: 30 } as const;
/** Maximum values that are read of one result, and items of one list. */
const BUDGET = 2_000;
const SAMPLED = 32;
/** Keys that are read of one object. */
const READ_KEYS = 100;

/** Shape of nothing. */
export function emptyShape(): Shape {
  return { seen: 0, kinds: 0, objects: 0, fields: new Map(), isMap: false };
}

/** Widens a shape by a value, from a bounded look at it. Returns the number of places that are new.
 *
 * @example
 * ```ts ignore
 * const shape = emptyShape();
 * widen(shape, { id: 7, tags: [] });
 * ```
 */
export function widen(shape: Shape, value: JsonValue): number {
  const bounds = { left: BUDGET, added: 0 };
  look(shape, value, { look: bounds, level: 0, isItem: false });
  return bounds.added;
}

/** Both shapes in one; up to the bounds the order of the two does not matter. */
export function mergeShapes(one: Shape, other: Shape): Shape {
  const merged = emptyShape();
  absorb(merged, one);
  absorb(merged, other);
  return merged;
}

interface Place {
  readonly look: { left: number; added: number };
  /** Objects around the value, and lists right within lists. */
  readonly level: number;
  readonly isItem: boolean;
}

function look(shape: Shape, value: JsonValue, place: Place): void {
  if (shape.seen === 0) place.look.added++;
  shape.seen++;
  place.look.left--;
  if (value === null) shape.kinds |= KIND.null;
  else if (typeof value === "string") shape.kinds |= KIND.text;
  else if (typeof value === "number") shape.kinds |= KIND.number;
  else if (typeof value === "boolean") shape.kinds |= KIND.boolean;
  else lookInside(shape, value, place);
}

function lookInside(shape: Shape, value: JsonValue & object, place: Place): void {
  const isList = Array.isArray(value);
  const isNested = isList && place.isItem;
  const level = place.level + (isList && !isNested ? 0 : 1);
  if (level > (isNested ? MOST.levels - 1 : MOST.levels)) {
    shape.kinds |= KIND.deep;
    return;
  }
  shape.kinds |= isList ? KIND.list : KIND.object;
  if (place.look.left <= 0) return;
  const below = { look: place.look, level };
  if (isList) lookAtItems(shape, value, { ...below, isItem: true });
  else lookAtFields(shape, value as Record<string, JsonValue>, { ...below, isItem: false });
}

/** Looks at the first items, and at some of the rest at even distances. */
function lookAtItems(shape: Shape, list: readonly JsonValue[], place: Place): void {
  const items = shape.items ??= emptyShape();
  const count = Math.min(list.length, SAMPLED);
  const first = list.length > SAMPLED ? SAMPLED / 4 : count;
  const step = (list.length - first) / (count - first);
  for (let at = 0; at < count && place.look.left > 0; at++) {
    const index = at < first ? at : first + Math.floor((at - first) * step);
    look(items, list[index] ?? null, place);
  }
}

function lookAtFields(shape: Shape, object: Record<string, JsonValue>, place: Place): void {
  shape.objects++;
  let read = 0;
  const keys = isLarge(object) ? keysOf(object) : undefined;
  for (const key of keys ?? keysIn(object)) {
    look(fieldOf(shape, key), object[key] ?? null, place);
    if (++read >= READ_KEYS) break;
  }
  if (isLikeMap(shape)) makeMap(shape);
}

/** The keys one at a time: those of most objects are not all read. */
function* keysIn(object: object): Generator<string> {
  for (const key in object) yield key;
}

/** Shape of the values under a key. Once there are enough fields, that of another key is not
 * kept. */
function fieldOf(shape: Shape, key: string): Shape {
  const field = shape.fields.get(key);
  if (field) return field;
  if (shape.isMap || isDataKey(key)) return shape.rest ??= emptyShape();
  const added = emptyShape();
  if (shape.fields.size < MOST.fields) shape.fields.set(key, added);
  return added;
}

function absorb(shape: Shape, other: Shape): void {
  shape.seen += other.seen;
  shape.kinds |= other.kinds;
  shape.objects += other.objects;
  if (other.items) absorb(shape.items ??= emptyShape(), other.items);
  if (other.rest) absorb(shape.rest ??= emptyShape(), other.rest);
  if (other.isMap) makeMap(shape);
  for (const [key, field] of other.fields) absorb(fieldOf(shape, key), field);
  if (isLikeMap(shape)) makeMap(shape);
  if (shape.kinds & KIND.deep) forgetParts(shape);
}

/** The type of a place with values that are too deep is not known. */
function forgetParts(shape: Shape): void {
  shape.items = undefined;
  shape.rest = undefined;
  shape.objects = 0;
  shape.fields.clear();
}

/** Returns true for a map, as opposed to an object with many fields: its values are alike, or its
 * keys vary. */
function isLikeMap({ fields, objects }: Shape): boolean {
  if (fields.size <= MOST.keys) return false;
  const kinds = new Set([...fields.values()].map((field) => field.kinds & ~KIND.null));
  kinds.delete(0);
  if (kinds.size <= 1) return true;
  const rare = [...fields.values()].filter(({ seen }) => seen * 2 <= objects);
  return rare.length * 2 >= fields.size;
}

function makeMap(shape: Shape): void {
  shape.isMap = true;
  const fields = [...shape.fields.values()];
  shape.fields.clear();
  for (const field of fields) absorb(shape.rest ??= emptyShape(), field);
}

const LONGEST = 64;
const PATTERNS = [
  // Numbers, dates, times, versions, IP addresses.
  /^[+-]?\d[\d\s.,:/+TZ-]*$/,
  /^\d{4}-\d{2}/,
  /^(?=.*:.*:)[\da-f:]+$/i,
  // Hashes and UUIDs.
  /^(?=.*\d)[\da-f]{8,}$/i,
  /^0x[\da-f]+$/i,
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-/i,
  // `PROJ-123`, `cus_9s6XKzkNRiz8i3`, `U012AB3CD`, tokens.
  /^[A-Z][A-Z\d]*-\d+$/,
  /^[A-Za-z]{1,12}[_-](?=(?:[A-Za-z]*\d){3})[A-Za-z\d]{4,}$/,
  /^(?=(?:[A-Z]*\d){2})[A-Z\d]{8,}$/,
  /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d]{16,}$/,
  // Addresses of mail, pages and hosts; paths.
  /@.*\./,
  /:\/\//,
  /^~?\//,
  /^[A-Za-z]:\\/,
  /^(?:[a-z\d-]+\.)+(?:com|org|net|edu|gov|io|dev|app|local)$/i,
];

/** Returns true for a key that no programmer would have chosen. */
export function isDataKey(key: string): boolean {
  return key === "" || key.length > LONGEST || PATTERNS.some((pattern) => pattern.test(key));
}
