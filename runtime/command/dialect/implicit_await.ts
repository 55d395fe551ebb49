/** Writes `await`, `async` and the methods of lists that wait, where the plan has them (rule 2). */

import { nextText } from "../../syntax/edits.ts";
import type { Path } from "./path.ts";
import { saysPromise } from "./promise_use.ts";
import type { ListFunction, Rewriting } from "./rewriting.ts";
import { inner } from "../../syntax/expression.ts";
import { endOf, type Node, startOf } from "../../syntax/parse.ts";
import type { FunctionNode } from "./survey.ts";
import type { Waits } from "./waits.ts";

/** Writes the plan; an outer call goes before those within it that begin where it begins. */
export function writeWaits(
  { awaited, asynchronous, lists }: Omit<Waits, "obstacle">,
  rewriting: Rewriting,
): void {
  const begun = new Set<number>();
  for (const { path } of rewriting.calls) {
    const list = lists.get(path.node);
    if (awaited.has(path.node)) writeAwait(path, { rewriting, begun });
    if (list) writeList(path, list, rewriting);
    if (list || awaited.has(path.node)) begun.add(startOf(path.node));
  }
  for (const node of asynchronous) writeAsync(node, rewriting);
}

function writeAwait(
  path: Path,
  { rewriting: { edits, text }, begun }: { rewriting: Rewriting; begun: ReadonlySet<number> },
): void {
  const start = startOf(path.node);
  if (!needsBrackets(path)) return edits.insert(start, "await ");
  const separates = !begun.has(start) && beginsStatement(path, text);
  edits.insert(start, `${separates ? ";" : ""}(await `);
  edits.close(start, endOf(path.node), ")");
}

/** Writes `rows.map(…)` as `$inTurn(rows).map(…)`. In an optional chain every link from here on is
 * optional, since what stood before them is now an expression of its own. */
function writeList({ node, parent }: Path, list: ListFunction, rewriting: Rewriting): void {
  const { edits, needs } = rewriting;
  const callee = "callee" in node ? inner(node.callee as Node) : node;
  if (!("object" in callee)) return;
  const object = callee.object as Node;
  needs.lists.add(list);
  edits.insert(startOf(object), `${needs.listsAs[list]}(`);
  edits.close(startOf(object), endOf(object), ")");
  if (node.type !== "OptionalCallExpression") return;
  writeOptional(callee, object, rewriting);
  if (parent) writeOptional(parent.node, node, rewriting);
}

function writeOptional(link: Node, before: Node, { edits, text }: Rewriting): void {
  if (link.type === "OptionalCallExpression" && link.callee === before && !link.optional) {
    edits.insert(nextText(text, endOf(before)).at, "?.");
  }
  if (link.type !== "OptionalMemberExpression" || link.object !== before || link.optional) return;
  const at = nextText(text, endOf(before)).at;
  edits.insert(at, link.computed ? "?." : "?");
}

function writeAsync(node: FunctionNode, { edits, text }: Rewriting): void {
  edits.insert(startOf(node), "async ");
  const type = node.returnType;
  if (!type || saysPromise(node)) return;
  const from = nextText(text, startOf(type) + 1).at;
  edits.insert(from, "Promise<");
  edits.close(from, endOf(type), ">");
}

/** Tells whether `await x` in the place of `x` needs parentheses. */
function needsBrackets({ node, parent }: Path): boolean {
  const above = parent?.node;
  switch (above?.type) {
    case "MemberExpression":
    case "OptionalMemberExpression":
      return above.object === node;
    case "CallExpression":
    case "OptionalCallExpression":
    case "NewExpression":
      return above.callee === node;
    case "TaggedTemplateExpression":
      return above.tag === node;
    case "BinaryExpression":
      return above.operator === "**" && above.left === node ||
        above.operator === "/" && above.left === node;
    case "ClassDeclaration":
    case "ClassExpression":
      return above.superClass === node;
    case "TSNonNullExpression":
    case "TSInstantiationExpression":
    case "Decorator":
      return true;
    default:
      return false;
  }
}

/** Tells whether a parenthesis here would call the expression at the end of the line before. */
function beginsStatement(path: Path, text: string): boolean {
  const start = startOf(path.node);
  let at: Path | undefined = path;
  while (at && at.node.type !== "ExpressionStatement") at = at.parent;
  if (!at || startOf(at.node) !== start) return false;
  const list = at.parent?.node.type;
  if (list !== "Program" && list !== "BlockStatement" && list !== "SwitchCase") return false;
  const before = text.slice(0, start).trimEnd();
  return before !== "" && !/[;{:]$/.test(before);
}
