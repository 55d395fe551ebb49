/** Size of a value as JSON, and the number of its parts, without the text. */

import { keysOf } from "./large_json.ts";

/** Characters of a value as JSON, about; counted until they are more than `most`. */
export function sizeAsJson(value: unknown, most: number): number {
  const waiting = [value];
  let size = 0;
  while (waiting.length > 0 && size <= most) {
    const next = waiting.pop();
    size += typeof next === "string" ? next.length + 3 : 3;
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next)) {
      if (size + waiting.length + next.length > most) return most + 1;
      for (const item of next) waiting.push(item);
      continue;
    }
    for (const key of keysOf(next)) {
      size += key.length + 3;
      if (size + waiting.length > most) return most + 1;
      waiting.push((next as Record<string, unknown>)[key]);
    }
  }
  return size;
}

export interface IndentedSizeOptions {
  /** Spaces of each level. */
  readonly indent: number;
  /** Where the count ends. */
  readonly most: number;
}

/** Characters of a value with each item in a line of its own, as in indented JSON, about; counted
 * until they are more than `most`. */
export function sizeIndented(
  value: unknown,
  { indent, most }: IndentedSizeOptions,
): number {
  let size = 0;
  function add(next: unknown, margin: number): void {
    size += margin + 4;
    if (typeof next === "string") size += next.length;
    if (typeof next !== "object" || next === null) return;
    size += margin;
    const isList = Array.isArray(next);
    for (const key of isList ? next.keys() : keysOf(next)) {
      if (size > most) return;
      if (typeof key === "string") size += key.length + 4;
      add((next as Record<string, unknown>)[key], margin + indent);
    }
  }
  add(value, 0);
  return size;
}

/** Number of lists, objects and fields in a value, itself included; counted until they are more than
 * `most`. */
export function countParts(value: unknown, most: number): number {
  const waiting = [value];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const keys = Array.isArray(next) ? [] : keysOf(next);
    count += 1 + keys.length;
    if (count + waiting.length > most) return most + 1;
    const parts = Array.isArray(next)
      ? next
      : keys.map((key) => (next as Record<string, unknown>)[key]);
    for (const part of parts) {
      if (typeof part === "object" && part !== null && waiting.push(part) > most) return most + 1;
    }
  }
  return count;
}
