/** Where the parts of a value go that is declared or assigned: one name, or a pattern of many. */

import type { Node } from "../syntax/parse.ts";

/** Members to follow from the value: `["Deno", "Command"]`. */
export type TargetPath = readonly string[];

export interface Target {
  /** A name, or whatever else can be assigned to. */
  readonly node: Node;
  /** Undefined where it cannot be told which part of the value it gets. */
  readonly path: TargetPath | undefined;
  /** What it gets instead of `undefined`. */
  readonly fallback: Node | undefined;
}

/** Every target of a declaration or an assignment. */
export function targetsOf(node: Node): Target[] {
  const found: Target[] = [];
  const stack: Target[] = [{ node, path: [], fallback: undefined }];
  for (let target = stack.pop(); target; target = stack.pop()) {
    const parts = partsOf(target);
    if (parts === undefined) found.push(target);
    else for (const part of parts) stack.push(part);
  }
  return found;
}

/** The text of a key that is known from the code, of a member, a property or an import. */
export function keyText(key: Node): string {
  const text = staticText(key);
  return key.type === "Identifier" ? key.name : text ?? "";
}

/** The text that an expression always gives, as far as it is plain to see. */
export function staticText(node: Node, depth = 0): string | undefined {
  if (depth > 16) return undefined;
  switch (node.type) {
    case "StringLiteral":
      return node.value;
    case "NumericLiteral":
      return String(node.value);
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
      return staticText(node.expression, depth + 1);
    case "BinaryExpression": {
      const left = node.operator === "+" ? staticText(node.left, depth + 1) : undefined;
      const right = left === undefined ? undefined : staticText(node.right, depth + 1);
      return left === undefined || right === undefined ? undefined : left + right;
    }
    case "TemplateLiteral": {
      const parts = node.quasis.map((quasi, index) => {
        const next = node.expressions[index];
        const inserted = next ? staticText(next, depth + 1) : "";
        return inserted === undefined ? undefined : (quasi.value.cooked ?? "") + inserted;
      });
      return parts.includes(undefined) ? undefined : parts.join("");
    }
    default:
      return undefined;
  }
}

/** The targets inside a pattern; undefined for what is no pattern. */
function partsOf({ node, path, fallback }: Target): Target[] | undefined {
  switch (node.type) {
    case "ObjectPattern":
      return node.properties.map((item) => {
        if (item.type === "RestElement") return { node: item.argument, path, fallback: undefined };
        const key = item.computed ? staticText(item.key) : keyText(item.key);
        const inner = path && key !== undefined ? [...path, key] : undefined;
        return { node: item.value, path: inner, fallback: undefined };
      });
    case "ArrayPattern":
      return node.elements.flatMap((item) =>
        item ? [{ node: item, path: undefined, fallback: undefined }] : []
      );
    case "AssignmentPattern":
      return [{ node: node.left, path, fallback: node.right }];
    case "RestElement":
      return [{ node: node.argument, path: undefined, fallback: undefined }];
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "TSTypeAssertion":
      return [{ node: node.expression, path, fallback }];
    default:
      return undefined;
  }
}
