/** Shape of an argument: an object of named arguments, or one value. */

import { PYTHON_WORDS } from "../python_words.ts";
import type { Node } from "../../syntax/parse.ts";
import type { Meanings } from "./meaning.ts";
import { inner } from "../../syntax/expression.ts";
import type { Scope } from "../../syntax/scope.ts";
import { variableOf } from "./survey.ts";

export type Shape = "object" | "value" | "unknown";

const MAX_DEPTH = 8;

/** Shape of the only argument of a tool call. */
export function argumentShape(node: Node, scope: Scope, meanings: Meanings, depth = 0): Shape {
  if (depth > MAX_DEPTH) return "unknown";
  const shapeOf = (part: Node, within = scope) =>
    argumentShape(inner(part), within, meanings, depth + 1);
  switch (node.type) {
    case "ObjectExpression":
      return "object";
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
    case "BigIntLiteral":
    case "NullLiteral":
    case "RegExpLiteral":
    case "TemplateLiteral":
    case "ArrayExpression":
    case "ArrowFunctionExpression":
    case "FunctionExpression":
    case "UnaryExpression":
    case "UpdateExpression":
    case "BinaryExpression":
      return "value";
    case "LogicalExpression":
      return same(shapeOf(node.left), shapeOf(node.right));
    case "ConditionalExpression":
      return same(shapeOf(node.consequent), shapeOf(node.alternate));
    case "Identifier":
      return nameShape(node.name, scope, { meanings, shapeOf });
    case "MemberExpression":
      return meanings.isProjectPath(node, scope) ? "value" : "unknown";
    default:
      return "unknown";
  }
}

function nameShape(
  name: string,
  scope: Scope,
  { meanings, shapeOf }: {
    meanings: Meanings;
    shapeOf: (node: Node, within?: Scope) => Shape;
  },
): Shape {
  const binding = scope.lookup(name);
  if (!binding) {
    if (name === "undefined") return "object";
    return PYTHON_WORDS.has(name) && meanings.isFree(name, scope) ? "value" : "unknown";
  }
  const variable = variableOf(binding);
  if (variable?.type) return typeShape(variable.type);
  if (!variable?.init || variable.property !== undefined) return "unknown";
  return meanings.isReassigned(name, scope) ? "unknown" : shapeOf(variable.init, variable.scope);
}

function typeShape(node: Node): Shape {
  switch (node.type) {
    case "TSTypeAnnotation":
      return typeShape(node.typeAnnotation);
    case "TSStringKeyword":
    case "TSNumberKeyword":
    case "TSBooleanKeyword":
    case "TSArrayType":
    case "TSTupleType":
    case "TSLiteralType":
    case "TSTemplateLiteralType":
      return "value";
    case "TSTypeLiteral":
    case "TSObjectKeyword":
      return "object";
    case "TSTypeReference":
      return referenceShape(node.typeName);
    default:
      return "unknown";
  }
}

/** Shape of a named type: an object, except for some types of the language. */
function referenceShape(name: Node): Shape {
  if (name.type !== "Identifier") return "object";
  return /^(?:Array|ReadonlyArray|Date|URL|ProjectPath)$/.test(name.name) ? "value" : "object";
}

function same(one: Shape, other: Shape): Shape {
  return one === other ? one : "unknown";
}
