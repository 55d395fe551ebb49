/** Adds `await` to a tool call where its promise would be of no use (rule 2). */

import { endOf, type Node, startOf } from "../../syntax/parse.ts";
import type { Call, Rewriting } from "./rewriting.ts";
import { inner, memberName } from "../../syntax/expression.ts";
import { type Path, unwrapped } from "./path.ts";
import { paramsOf } from "./arguments.ts";

const HANDLERS = new Set(["then", "catch", "finally"]);
const COMBINATORS = new Set(["all", "allSettled", "any", "race"]);

/** Awaits a tool call, unless its promise is used. */
export function awaitCall({ path, target }: Call, rewriting: Rewriting): void {
  if (!path.awaits || !paramsOf(target)) return;
  if (isAwaited(path) || isKept(path, rewriting)) return;
  const start = startOf(path.node);
  if (!needsBrackets(path)) return rewriting.edits.insert(start, "await ");
  rewriting.edits.insert(start, `${beginsStatement(path, rewriting.text) ? ";" : ""}(await `);
  rewriting.edits.close(start, endOf(path.node), ")");
}

/** Tells whether the code around a call uses its promise. */
function isAwaited(path: Path): boolean {
  const outer = unwrapped(path);
  const parent = outer.parent;
  if (!parent) return false;
  if (parent.node.type === "AwaitExpression") return true;
  if (isObjectOf(parent.node, outer.node)) return HANDLERS.has(memberName(parent.node) ?? "");
  // A promise cannot be spread, not even in `Promise.all([...])`.
  return parent.node.type !== "SpreadElement" && inCombinator(outer);
}

/** Tells whether a node is in the arguments of `Promise.all` or a similar function, without a
 * function between. */
function inCombinator(path: Path): boolean {
  let below = path;
  for (let at = path.parent; at; at = at.parent) {
    const { node } = at;
    if (node.type.includes("Function") || node.type.endsWith("Method")) return false;
    if (isObjectOf(node, below.node)) return false;
    if (node.type === "CallExpression" && node.callee !== below.node && isCombinator(node, at)) {
      return true;
    }
    below = at;
  }
  return false;
}

function isCombinator(call: Extract<Node, { type: "CallExpression" }>, { scope }: Path): boolean {
  const callee = inner(call.callee);
  if (callee.type !== "MemberExpression" || !COMBINATORS.has(memberName(callee) ?? "")) {
    return false;
  }
  const owner = inner(callee.object);
  return owner.type === "Identifier" && owner.name === "Promise" && !scope.lookup("Promise");
}

/** Tells whether the promise goes to a variable that is only used as a promise: the author wants
 * several calls to run at once. */
function isKept(path: Path, { survey }: Rewriting): boolean {
  let outer = unwrapped(path);
  if (outer.parent?.node.type === "ArrayExpression") outer = unwrapped(outer.parent);
  const parent = outer.parent?.node;
  let reads: readonly Path[] = [];
  if (parent?.type === "VariableDeclarator" && parent.id.type === "Identifier") {
    const uses = survey.usesOf(parent.id.name, path.scope);
    if (uses.writes.length === 0) reads = uses.reads;
  } else if (parent?.type === "AssignmentExpression" && parent.left.type === "Identifier") {
    const uses = survey.usesOf(parent.left.name, path.scope);
    if (uses.writes.length === 1) reads = uses.reads;
  }
  return reads.length > 0 && reads.every(isPromiseUse);
}

function isPromiseUse(path: Path): boolean {
  const outer = unwrapped(path);
  const parent = outer.parent?.node;
  if (parent?.type === "SpreadElement" && outer.parent) return inCombinator(outer.parent);
  if (parent?.type === "ForOfStatement") return parent.await && parent.right === outer.node;
  return isAwaited(path);
}

function isObjectOf(parent: Node, node: Node): boolean {
  return (parent.type === "MemberExpression" || parent.type === "OptionalMemberExpression") &&
    parent.object === node;
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
