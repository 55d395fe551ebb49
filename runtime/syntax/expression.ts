/** Parts of expressions: the value below wrappers, the text of a constant, the name of a member. */

import type { Node } from "./parse.ts";

/** Deepest constant expression that is read. */
const MAX_DEPTH = 16;

type Wrapper = Extract<Node, {
  type:
    | "ParenthesizedExpression"
    | "TSNonNullExpression"
    | "TSAsExpression"
    | "TSSatisfiesExpression"
    | "TSTypeAssertion";
}>;

/** Tells whether a node changes no value: parentheses, `!`, `as`, `satisfies`, `<T>x`. */
export function isWrapper(node: Node): node is Wrapper {
  switch (node.type) {
    case "ParenthesizedExpression":
    case "TSNonNullExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSTypeAssertion":
      return true;
    default:
      return false;
  }
}

/** The expression within such wrappers. */
export function inner(node: Node): Node {
  let expression = node;
  while (isWrapper(expression)) expression = expression.expression;
  return expression;
}

/** The name of a member that is written out: `a.b`, `a["b"]`. */
export function memberName(node: Node): string | undefined {
  if (node.type !== "MemberExpression" && node.type !== "OptionalMemberExpression") {
    return undefined;
  }
  const { property } = node;
  if (!node.computed) return property.type === "Identifier" ? property.name : undefined;
  return property.type === "StringLiteral" ? property.value : undefined;
}

/** The text of a constant key of a member, a property or an import. */
export function constantKey(key: Node): string {
  return key.type === "Identifier" ? key.name : constantText(key) ?? "";
}

/** The text of a constant expression: a literal, a template or a sum of them. */
export function constantText(node: Node, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (isWrapper(node)) return constantText(node.expression, depth + 1);
  switch (node.type) {
    case "StringLiteral":
      return node.value;
    case "NumericLiteral":
      return String(node.value);
    case "BinaryExpression": {
      const left = node.operator === "+" ? constantText(node.left, depth + 1) : undefined;
      const right = left === undefined ? undefined : constantText(node.right, depth + 1);
      return left === undefined || right === undefined ? undefined : left + right;
    }
    case "TemplateLiteral": {
      const parts = node.quasis.map((quasi, index) => {
        const next = node.expressions[index];
        const inserted = next ? constantText(next, depth + 1) : "";
        return inserted === undefined ? undefined : (quasi.value.cooked ?? "") + inserted;
      });
      return parts.includes(undefined) ? undefined : parts.join("");
    }
    default:
      return undefined;
  }
}
