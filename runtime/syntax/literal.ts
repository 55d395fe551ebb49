/** Values of literals in a syntax tree. */

import type { JsonValue } from "#base";
import { inner } from "./expression.ts";
import type { Node } from "./parse.ts";

/** Deepest literal that is read. */
const MAX_DEPTH = 256;

export interface LiteralOptions {
  /** Names that stand for values. */
  readonly words?: ReadonlyMap<string, JsonValue>;
  /** Reads computed keys, and `__proto__` as a property. Without it such an object is no literal:
   * `__proto__` sets the prototype of an object. */
  readonly allKeys?: boolean;
}

/** The JSON value of a literal; undefined for any other expression. */
export function literalValue(
  expression: Node,
  options: LiteralOptions = {},
): JsonValue | undefined {
  return valueOf(expression, 0);

  function valueOf(wrapped: Node, depth: number): JsonValue | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const node = inner(wrapped);
    switch (node.type) {
      case "StringLiteral":
      case "BooleanLiteral":
        return node.value;
      case "NumericLiteral":
        return Number.isFinite(node.value) ? node.value : undefined; // JSON has no other number.
      case "NullLiteral":
        return null;
      case "Identifier":
        return options.words?.get(node.name);
      case "TemplateLiteral":
        return node.expressions.length === 0
          ? node.quasis[0]?.value.cooked ?? undefined
          : undefined;
      case "UnaryExpression": {
        const value = valueOf(node.argument, depth + 1);
        if (typeof value !== "number") return undefined;
        return node.operator === "-" ? -value : node.operator === "+" ? value : undefined;
      }
      case "ArrayExpression":
        return arrayValue(node.elements, depth + 1);
      case "ObjectExpression":
        return objectValue(node.properties, depth + 1);
      default:
        return undefined;
    }
  }

  function arrayValue(elements: readonly (Node | null)[], depth: number): JsonValue | undefined {
    const values: JsonValue[] = [];
    for (const element of elements) {
      const value = element ? valueOf(element, depth) : undefined;
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  }

  function objectValue(properties: readonly Node[], depth: number): JsonValue | undefined {
    const entries: [string, JsonValue][] = [];
    for (const property of properties) {
      if (property.type !== "ObjectProperty") return undefined;
      const key = keyOf(property.key, property.computed);
      const value = valueOf(property.value, depth);
      if (key === undefined || value === undefined) return undefined;
      if (!options.allKeys && (property.computed || key === "__proto__")) return undefined;
      entries.push([key, value]);
    }
    // `fromEntries` sets `__proto__` as a property.
    return Object.fromEntries(entries);
  }
}

function keyOf(key: Node, computed: boolean): string | undefined {
  if (key.type === "StringLiteral") return key.value;
  if (computed) return undefined;
  if (key.type === "NumericLiteral") return String(key.value);
  return key.type === "Identifier" ? key.name : undefined;
}
