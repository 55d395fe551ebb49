/** What patterns name: the variables that they declare or assign to, and the expressions in them. */

import type { Node } from "../syntax/parse.ts";

/** One name in a pattern that declares. */
export interface Declared {
  readonly name: string;
  readonly type?: Node;
  /** The property that it is, where the pattern takes an object apart one level deep. */
  readonly property?: string;
  /** It is the whole value. */
  readonly whole: boolean;
}

export interface Pattern {
  readonly names: readonly Declared[];
  /** Defaults and computed keys. */
  readonly expressions: readonly Node[];
  /** What is assigned to and is no variable: `a.b`. */
  readonly targets: readonly Node[];
}

/** Takes a pattern apart, whatever it stands in. */
export function takeApart(pattern: Node): Pattern {
  const names: Declared[] = [];
  const expressions: Node[] = [];
  const targets: Node[] = [];
  const visit = (node: Node, known: Pick<Declared, "whole" | "property">): void => {
    switch (node.type) {
      case "Identifier": {
        const type = node.typeAnnotation ?? undefined;
        names.push({ name: node.name, ...known, ...(type ? { type } : {}) });
        return;
      }
      case "AssignmentPattern":
        expressions.push(node.right);
        return visit(node.left, { whole: false });
      case "RestElement":
        return visit(node.argument, { whole: false });
      case "TSParameterProperty":
        return visit(node.parameter, known);
      case "ArrayPattern":
        for (const item of node.elements) if (item) visit(item, { whole: false });
        return;
      case "ObjectPattern":
        for (const item of node.properties) {
          if (item.type === "RestElement") {
            visit(item, { whole: false });
            continue;
          }
          if (item.computed) expressions.push(item.key);
          const plain = known.whole && !item.computed && item.key.type === "Identifier";
          const property = plain && item.key.type === "Identifier" ? item.key.name : undefined;
          visit(item.value, { whole: false, ...(property === undefined ? {} : { property }) });
        }
        return;
      default:
        targets.push(node);
    }
  };
  visit(pattern, { whole: true });
  return { names, expressions, targets };
}
