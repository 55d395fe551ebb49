/** Literals of the command language: their values, and texts for values. */

import type { JsonValue } from "#base";
import { literalValue } from "../syntax/literal.ts";
import type { Node } from "../syntax/parse.ts";
import { keyText, quote } from "./dialect/rewriting.ts";
import { PYTHON_WORDS } from "./python_words.ts";

const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ...PYTHON_WORDS,
  ["undefined", null],
]);

/** The value of a literal of the command language; undefined for any other expression. */
export function commandLiteral(node: Node): JsonValue | undefined {
  return literalValue(node, { words: WORDS, allKeys: true });
}

/** Expression for a value, with parentheses where it would not bind as tightly as a name. */
export function literalText(value: JsonValue): string {
  const text = bareText(value);
  return /^[{-]/.test(text) ? `(${text})` : text;
}

function bareText(value: JsonValue): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(bareText).join(",")}]`;
  const entries = Object.entries(value).map(([key, item]) => `${keyText(key)}:${bareText(item)}`);
  return `{${entries.join(",")}}`;
}
