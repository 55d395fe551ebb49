/** A look at how large a value is, without writing it. */

/** Bytes that a value needs at least, in JSON and in YAML alike; the look ends soon after `limit`. */
import type { JsonValue } from "#base";
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
    } else size += pushFields(item, stack);
  }
  return size;
}

/** A list can have more items than a call takes arguments. */
function pushItems(items: readonly JsonValue[], stack: JsonValue[]): void {
  for (const item of items) stack.push(item);
}

function pushFields(item: object, stack: JsonValue[]): number {
  let size = 2;
  for (const [key, inner] of Object.entries(item)) {
    size += key.length + 2;
    stack.push(inner);
  }
  return size;
}
