/** Comparison of a tool's description with the one before. */

import { isObject } from "#base";
import type { ToolEntry } from "#packs";

const MAX_DEPTH = 200;

/** Compares what the generated text is made of. */
export function sameEntry(one: ToolEntry, other: ToolEntry): boolean {
  if (one.wire !== other.wire || one.tool !== other.tool || one.toolKey !== other.toolKey) {
    return false;
  }
  const [left, right] = [one.spec, other.spec];
  return left === right ||
    (left.description === right.description && left.title === right.title &&
      sameJson(left.inputSchema, right.inputSchema, 0) &&
      sameJson(left.outputSchema, right.outputSchema, 0));
}

/** Returns true if two values are equal; values too deep to compare count as changed. */
function sameJson(one: unknown, other: unknown, depth: number): boolean {
  if (Object.is(one, other)) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length &&
      one.every((value, index) => sameJson(value, other[index], depth + 1));
  }
  if (!isObject(one) || !isObject(other)) return false;
  // The order of properties is part of the generated text.
  const names = Object.keys(one);
  const otherNames = Object.keys(other);
  return names.length === otherNames.length && names.every((name, index) => {
    return name === otherNames[index] && sameJson(one[name], other[name], depth + 1);
  });
}
