/** Arguments that stand in the code as literals, as the values they are. */

import type { JsonObject, JsonValue } from "#sandbox";
import type { Node } from "../syntax/parse.ts";
import { staticText } from "./targets.ts";

const MAX_DEPTH = 64;

/** The arguments of a call with one literal object or none; undefined where they are only known
 * when it happens. */
export function literalArguments(args: readonly Node[] | undefined): JsonObject | undefined {
  if (!args) return undefined;
  const [first, ...rest] = args;
  if (!first) return {};
  const value = rest.length === 0 ? literal(first, 0) : undefined;
  return isPlainObject(value) ? value : undefined;
}

function literal(node: Node, depth: number): JsonValue | undefined {
  if (depth > MAX_DEPTH) return undefined;
  switch (node.type) {
    case "StringLiteral":
    case "BooleanLiteral":
      return node.value;
    case "NumericLiteral":
      return Number.isFinite(node.value) ? node.value : undefined; // JSON has no other
    case "NullLiteral":
      return null;
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return literal(node.expression, depth + 1);
    case "UnaryExpression": {
      const value = node.operator === "-" ? literal(node.argument, depth + 1) : undefined;
      return typeof value === "number" ? -value : undefined;
    }
    case "TemplateLiteral":
      return node.expressions.length === 0 ? node.quasis[0]?.value.cooked ?? undefined : undefined;
    case "ArrayExpression":
      return literalArray(node.elements, depth);
    case "ObjectExpression":
      return literalObject(node.properties, depth);
    default:
      return undefined;
  }
}

function literalArray(
  elements: readonly (Node | null)[],
  depth: number,
): JsonValue[] | undefined {
  const items: JsonValue[] = [];
  for (const element of elements) {
    const item = element ? literal(element, depth + 1) : undefined;
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function literalObject(properties: readonly Node[], depth: number): JsonObject | undefined {
  const entries: [string, JsonValue][] = [];
  for (const property of properties) {
    if (property.type !== "ObjectProperty" || property.computed) return undefined;
    const key = keyOf(property.key);
    const value = literal(property.value, depth + 1);
    // Written like this, `__proto__` is no key.
    if (value === undefined || key === undefined || key === "__proto__") return undefined;
    entries.push([key, value]);
  }
  return Object.fromEntries(entries);
}

function keyOf(key: Node): string | undefined {
  return key.type === "Identifier" ? key.name : staticText(key);
}

function isPlainObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
