/** A look at how large a value is, without writing it. */

import { createTurns, type JsonObject, type JsonValue, keysOf } from "#base";

/** Items read before other work may run. */
const YIELD_AFTER = 1_000;

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

/** Characters of indentation on every level: two per level for each item, and for the brackets that close
 * around them. In a chain of lists, or with many items far down, they are many times the text itself. */
export async function indentationByLevel(value: JsonValue): Promise<number[]> {
  const turn = createTurns();
  const levels: number[] = [];
  for (let above = [value]; above.length > 0;) {
    const below: JsonValue[] = [];
    let count = 0;
    let holder: JsonValue = null;
    let brackets = 0;
    for (const [item, of] of itemsOf(above)) {
      if (typeof item === "object" && item !== null) below.push(item);
      if (of !== holder) brackets++;
      holder = of;
      if (++count % YIELD_AFTER === 0) await turn();
    }
    if (count > 0) levels.push(2 * (levels.length + 1) * count + 2 * levels.length * brackets);
    above = below;
  }
  return levels;
}

function* itemsOf(holders: readonly JsonValue[]): Generator<[item: JsonValue, of: JsonValue]> {
  for (const holder of holders) {
    if (Array.isArray(holder)) { for (const item of holder) yield [item, holder]; }
    else if (typeof holder === "object" && holder !== null) {
      for (const key of keysOf(holder)) yield [(holder as JsonObject)[key] ?? null, holder];
    }
  }
}

/** Pushes items one by one: a list can have more items than a call takes arguments. */
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
