/** Size of a value as JSON, without the text. */

import { keysOf } from "./large_json.ts";

/** Characters of a value as JSON, about; counted until they are more than `most`. */
export function sizeAsJson(value: unknown, most: number): number {
  const waiting = [value];
  let size = 0;
  while (waiting.length > 0 && size <= most) {
    const next = waiting.pop();
    size += typeof next === "string" ? next.length + 3 : 3;
    if (typeof next !== "object" || next === null) continue;
    for (const key of keysOf(next)) {
      size += Array.isArray(next) ? 0 : key.length + 3;
      if (size + waiting.length > most) return most + 1;
      waiting.push((next as Record<string, unknown>)[key]);
    }
  }
  return size;
}
