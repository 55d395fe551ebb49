/** Targets of a declaration or an assignment: one name, or the parts of a pattern. */

import { constantKey, constantText, isWrapper } from "./expression.ts";
import type { Node } from "./parse.ts";

/** Members to follow from the value: `["Deno", "Command"]`. */
export type TargetPath = readonly string[];

/** A default in a pattern, in place of `undefined`. */
export interface Fallback {
  readonly value: Node;
  /** The part of it that the target gets. */
  readonly path: TargetPath;
}

export interface Target {
  /** A name, or another expression that can be assigned to: `a.b`. */
  readonly node: Node;
  /** Undefined where the part of the value that it gets cannot be told. */
  readonly path: TargetPath | undefined;
  readonly fallbacks: readonly Fallback[];
  /** Gets only those parts of the value that the pattern does not name. */
  readonly isRest?: boolean;
}

export interface Pattern {
  readonly targets: readonly Target[];
  /** Expressions that the pattern evaluates: defaults and computed keys. */
  readonly expressions: readonly Node[];
}

/** Takes the left side of a declaration or an assignment apart; a plain name is one target. */
export function readPattern(node: Node): Pattern {
  if (node.type === "Identifier") {
    return { targets: [{ node, path: [], fallbacks: [] }], expressions: [] };
  }
  const targets: Target[] = [];
  const expressions: Node[] = [];
  const stack: Target[] = [{ node, path: [], fallbacks: [] }];
  for (let target = stack.pop(); target; target = stack.pop()) {
    const parts = partsOf(target, expressions);
    if (parts === undefined) targets.push(target);
    else for (const part of parts.toReversed()) stack.push(part);
  }
  return { targets, expressions };
}

/** The targets inside a pattern; undefined for anything else. */
function partsOf(target: Target, expressions: Node[]): Target[] | undefined {
  const { node, path, fallbacks } = target;
  if (isWrapper(node)) return [{ ...target, node: node.expression }];
  switch (node.type) {
    case "ObjectPattern":
      return node.properties.map((item) => {
        if (item.type === "RestElement") return { ...target, node: item.argument, isRest: true };
        if (item.computed) expressions.push(item.key);
        const key = item.computed ? constantText(item.key) : constantKey(item.key);
        return member(target, item.value, key);
      });
    case "ArrayPattern":
      return node.elements.flatMap((item) => item ? [member(target, item, undefined)] : []);
    case "AssignmentPattern":
      expressions.push(node.right);
      return [{
        node: node.left,
        path,
        fallbacks: [...fallbacks, { value: node.right, path: [] }],
      }];
    case "RestElement":
      return [{ node: node.argument, path: undefined, fallbacks: [] }];
    case "TSParameterProperty":
      return [{ ...target, node: node.parameter }];
    default:
      return undefined;
  }
}

/** The target of a property or an element; `key` is undefined where it cannot be told. */
function member({ path, fallbacks }: Target, node: Node, key: string | undefined): Target {
  if (key === undefined) return { node, path: undefined, fallbacks: [] };
  return {
    node,
    path: path && [...path, key],
    fallbacks: fallbacks.map((fallback) => ({ ...fallback, path: [...fallback.path, key] })),
  };
}
