/** Values of literals in a syntax tree, and literals for values. */

import type { JsonValue } from "#sandbox";
import type { Node } from "../syntax/parse.ts";
import { keyText, quote } from "./rewriting.ts";
import { inner } from "./scope.ts";

const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["True", true],
  ["False", false],
  ["None", null],
  ["undefined", null],
]);

/** The value of a literal; undefined for what is none. */
export function literalValue(expression: Node): JsonValue | undefined {
  const node = inner(expression);
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
      return node.value;
    case "NullLiteral":
      return null;
    case "Identifier":
      return WORDS.get(node.name);
    case "TemplateLiteral":
      return node.expressions.length === 0 ? node.quasis[0]?.value.cooked ?? undefined : undefined;
    case "UnaryExpression": {
      const value = literalValue(node.argument);
      if (typeof value !== "number") return undefined;
      return node.operator === "-" ? -value : node.operator === "+" ? value : undefined;
    }
    case "ArrayExpression":
      return arrayValue(node.elements);
    case "ObjectExpression":
      return objectValue(node.properties);
    default:
      return undefined;
  }
}

/** An expression that gives a value wherever one may stand: it binds as tightly as a name. */
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

function arrayValue(elements: readonly (Node | null)[]): JsonValue | undefined {
  const values: JsonValue[] = [];
  for (const item of elements) {
    const value = item ? literalValue(item) : undefined;
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function objectValue(properties: readonly Node[]): JsonValue | undefined {
  const entries: [string, JsonValue][] = [];
  for (const item of properties) {
    if (item.type !== "ObjectProperty") return undefined;
    const name = keyName(item.key, item.computed);
    const value = literalValue(item.value);
    if (name === undefined || value === undefined) return undefined;
    entries.push([name, value]);
  }
  // Made so, a key `__proto__` is data.
  return Object.fromEntries(entries);
}

function keyName(key: Node, computed: boolean): string | undefined {
  if (key.type === "StringLiteral") return key.value;
  if (computed) return undefined;
  if (key.type === "NumericLiteral") return String(key.value);
  return key.type === "Identifier" ? key.name : undefined;
}
