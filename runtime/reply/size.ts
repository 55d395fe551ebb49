/** A look at how large a value is, without writing it. */

import { type JsonValue, keysOf } from "#base";

/** Bytes that a value needs at least, in JSON and in YAML alike; the look ends soon after `limit`. */
export function leastSize(value: JsonValue, limit: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let size = 0;
  const stack: JsonValue[] = [value];
  while (stack.length > 0 && size <= limit) {
    const item = stack.pop() ?? null;
    if (typeof item === "string") size += item.length;
    else if (typeof item !== "object" || item === null) size += 1;
    else if (Array.isArray(item)) {
      size += item.length;
      // Each item takes a byte: with too many of them there is no need to look.
      if (size <= limit) pushItems(item, stack);
    } else size += pushFields(item, stack, limit);
  }
  return size;
}

/** Characters of indentation, two for each level, that the items on every level take. A chain of lists
 * or many items far down take many times the text itself. */
export function indentationByLevel(value: JsonValue): number[] {
  const levels: number[] = [];
  for (let above = [value]; above.length > 0;) {
    const below: JsonValue[] = [];
    const count = above.reduce<number>((sum, item) => sum + pushHolders(item, below), 0);
    if (count > 0) levels.push(2 * (levels.length + 1) * count);
    above = below;
  }
  return levels;
}

/** Adds the lists and objects in a value; returns the number of all its items. */
function pushHolders(value: JsonValue, holders: JsonValue[]): number {
  if (typeof value !== "object" || value === null) return 0;
  const items: readonly JsonValue[] = Array.isArray(value) ? value : Object.values(value);
  for (const item of items) if (typeof item === "object" && item !== null) holders.push(item);
  return items.length;
}

/** A list can have more items than a call takes arguments. */
function pushItems(items: readonly JsonValue[], stack: JsonValue[]): void {
  for (const item of items) stack.push(item);
}

function pushFields(item: object, stack: JsonValue[], limit: number): number {
  let size = 2;
  for (const key of keysOf(item)) {
    size += key.length + 2;
    if (size > limit) break;
    stack.push((item as Record<string, JsonValue>)[key] ?? null);
  }
  return size;
}
