/** Where a line ends a statement although the next one, as plain TypeScript, would go on with it:
 * `b = f()` and below it `[a, b]`. Commands are often written without semicolons. */

import { endOf, type Node, type ParsedModule, startOf } from "../syntax/parse.ts";
import { valueChildren } from "../syntax/strip.ts";

/** Positions for semicolons: behind what stands before a bracket or a template that begins a line
 * no deeper than its statement. */
export function statementEnds({ text, program }: ParsedModule): number[] {
  if (!/[\n\r\u2028\u2029][ \t]*[\[(`]/.test(text)) return [];
  const found: number[] = [];
  const stack: Node[] = [program];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === "ExpressionStatement") follow(node.expression, indentAt(text, node), found);
    if (node.type === "VariableDeclaration") {
      const init = node.declarations.at(-1)?.init;
      if (init) follow(init, indentAt(text, node), found);
    }
    for (const child of valueChildren(node)) stack.push(child);
  }
  return found;

  /** Goes down where the statement could end: never into brackets. */
  function follow(start: Node, indent: number, ends: number[]): void {
    for (let node: Node | undefined = start; node;) {
      const owner = ownerOf(node);
      if (owner && beginsLine(text, endOf(owner), indent)) ends.push(endOf(owner));
      node = owner ?? lastPart(node);
    }
  }
}

/** What a bracket or a template stands behind. */
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

/** Whether a bracket or template is the next thing after `end`, on a line of its own that is
 * indented no deeper than `indent`. */
function beginsLine(text: string, end: number, indent: number): boolean {
  const gap = /[ \t]*(?:\/\/[^\n\r]*)?(?:[\n\r\u2028\u2029]+([ \t]*)(?:\/\/[^\n\r]*)?)+(?=[\[(`])/y;
  gap.lastIndex = end;
  const match = gap.exec(text);
  return match !== null && (match[1]?.length ?? 0) <= indent;
}

/** How far the line is indented that a node begins. */
function indentAt(text: string, node: Node): number {
  const start = startOf(node);
  const before = text.slice(Math.max(0, start - 200), start);
  const [line = ""] = /[^\n\r\u2028\u2029]*$/.exec(before) ?? [];
  return line.trim() === "" ? line.length : -1;
}
