/** The beginning of a value as indented JSON, at a cost that does not grow with the value. */

import { type JsonValue, keysOf, ownText } from "#base";

export interface Excerpt {
  readonly text: string;
  /** True where the value is longer, or deeper. */
  readonly isCut: boolean;
}

const INDENT = "  ";
const MAX_LEVEL = 64;

/** Writes at most `most` characters; a string is written as it is.
 *
 * @example
 * ```ts
 * import { excerpt } from "#runtime";
 * console.assert(excerpt([1, 2], 100).text === "[\n  1,\n  2\n]");
 * console.assert(excerpt("x".repeat(9), 3).isCut);
 * ```
 */
export function excerpt(value: JsonValue, most: number): Excerpt {
  const parts: string[] = [];
  let left = most + 1;
  let isDeeper = false;

  function write(text: string): boolean {
    parts.push(text);
    left -= text.length;
    return left > 0;
  }

  function writeValue(item: JsonValue, level: number): boolean {
    if (typeof item === "string") return write(JSON.stringify(item.slice(0, left)));
    if (typeof item !== "object" || item === null) return write(String(item));
    const isList = Array.isArray(item);
    const keys = isList ? item.keys() : keysOf(item);
    const [open, close] = isList ? "[]" : "{}";
    if (level >= MAX_LEVEL) {
      isDeeper = true;
      return write(`${open}…${close}`);
    }
    if (!write(open ?? "")) return false;
    let separator = "\n";
    for (const key of keys) {
      const name = isList ? "" : `${JSON.stringify(String(key).slice(0, left))}: `;
      if (!write(`${separator}${INDENT.repeat(level + 1)}${name}`)) return false;
      if (!writeValue((item as Record<string | number, JsonValue>)[key] ?? null, level + 1)) {
        return false;
      }
      separator = ",\n";
    }
    return write(`${separator === "\n" ? "" : `\n${INDENT.repeat(level)}`}${close}`);
  }

  if (typeof value === "string") write(value.slice(0, left));
  else writeValue(value, 0);
  const text = parts.join("");
  // All other texts were joined here, and are whole.
  const isPart = typeof value === "string" || text.length > most;
  const start = text.slice(0, most).toWellFormed();
  return {
    text: isPart ? ownText(start) : start,
    isCut: isDeeper || text.length > most,
  };
}
