/** Finds lines that end a statement although plain TypeScript would continue it on the next line:
 * `b = f()` and below it `[a, b]`. Commands are often written without semicolons. */

import { endOf, type Node, type ParsedModule, startOf } from "../syntax/parse.ts";
import { valueChildren } from "../syntax/strip.ts";

/** Positions for semicolons: before a bracket or a template at the beginning of a line that is
 * indented no deeper than its statement. */
export function statementEnds({ text, program }: ParsedModule): number[] {
  if (!/[\n\r\u2028\u2029][ \t]*[\[(`]/.test(text)) return [];
  const positions: number[] = [];
  const stack: Node[] = [program];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === "ExpressionStatement") {
      follow(node.expression, indentAt(text, node), positions);
    }
    if (node.type === "VariableDeclaration") {
      const init = node.declarations.at(-1)?.init;
      if (init) follow(init, indentAt(text, node), positions);
    }
    for (const child of valueChildren(node)) stack.push(child);
  }
  return positions;

  /** Visits the nodes in which the statement could end; none in brackets. */
  function follow(start: Node, indent: number, ends: number[]): void {
    for (let node: Node | undefined = start; node;) {
      const owner = ownerOf(node);
      if (owner && beginsLine(text, endOf(owner), indent)) ends.push(endOf(owner));
      node = owner ?? lastPart(node);
    }
  }
}

/** Expression before a bracket or a template. */
function ownerOf(node: Node): Node | undefined {
  switch (node.type) {
    case "MemberExpression":
      return node.object;
    case "CallExpression":
      return node.callee;
    case "TaggedTemplateExpression":
      return node.tag;
    default:
      return undefined;
  }
}

function lastPart(node: Node): Node | undefined {
  switch (node.type) {
    case "AssignmentExpression":
    case "BinaryExpression":
    case "LogicalExpression":
      return node.right;
    case "AwaitExpression":
    case "UnaryExpression":
      return node.argument ?? undefined;
    default:
      return undefined;
  }
}

/** Tells whether a bracket or template follows `end` on a new line that is indented no deeper than
 * `indent`. */
function beginsLine(text: string, end: number, indent: number): boolean {
  // One line end a turn: with several there would be as many ways to divide them as their power set.
  const gap =
    /[ \t]*(?:\/\/[^\n\r\u2028\u2029]*)?(?:[\n\r\u2028\u2029]([ \t]*)(?:\/\/[^\n\r\u2028\u2029]*)?)+(?=[\[(`])/y;
  gap.lastIndex = end;
  const match = gap.exec(text);
  return match !== null && (match[1]?.length ?? 0) <= indent;
}

/** Indentation of the line in which a node begins. */
function indentAt(text: string, node: Node): number {
  const start = startOf(node);
  const before = text.slice(Math.max(0, start - 200), start);
  const [line = ""] = /[^\n\r\u2028\u2029]*$/.exec(before) ?? [];
  return line.trim() === "" ? line.length : -1;
}
