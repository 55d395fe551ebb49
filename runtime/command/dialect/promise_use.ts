/** Tells uses of a promise from uses of the value that it is for. */

import { functionUses, HANDLERS, type Use } from "./function_uses.ts";
import { type Path, unwrapped } from "./path.ts";
import type { Rewriting } from "./rewriting.ts";
import { inner, memberName } from "../../syntax/expression.ts";
import type { Node } from "../../syntax/parse.ts";
import type { FunctionNode } from "./survey.ts";

/** One promise, or a list of promises. */
export type Shape = "one" | "many";

type ListUse = Extract<Use, { kind: "list" }>;

const COMBINATORS = new Set(["all", "allSettled", "any", "race"]);
const MAPS = new Set(["map", "flatMap", "from"]);

/** Tells whether a method of a list, given a callback that returns promises, returns their list. */
export function givesPromises(method: string): boolean {
  return MAPS.has(method);
}

/** Tells whether the code around an expression uses it as what it is: promises. */
export function usesPromise(
  path: Path,
  shape: Shape,
  { rewriting, seen = new Set() }: { readonly rewriting: Rewriting; readonly seen?: Set<Node> },
): boolean {
  if (isPromiseUse(path, shape, rewriting) || isKept(path, shape, rewriting)) return true;
  if (isResolved(path)) return true;
  const returning = returningFunction(path);
  if (!returning) return false;
  if (seen.has(returning.node)) return true;
  seen.add(returning.node);
  if (shape === "one" && saysPromise(returning.node as FunctionNode)) return true;
  return functionUses(returning, rewriting).every((use) => {
    switch (use.kind) {
      case "call":
        return usesPromise(use.path, shape, { rewriting, seen });
      case "list":
        return (shape === "one" ? MAPS.has(use.method) : use.method === "flatMap") &&
          (isWholeResult(use, shape) || usesPromise(use.path, "many", { rewriting, seen }));
      case "free":
        return true;
      case "other":
        return false;
      default:
        return use satisfies never;
    }
  });
}

/** Tells whether a list of promises may be returned as it is: `flatMap` takes no promise apart. */
function isWholeResult({ method, path }: ListUse, shape: Shape): boolean {
  return isResult(path) && !(shape === "one" && method === "flatMap");
}

/** Tells whether an expression is part of what the program returns, where promises are awaited. */
export function isResult(path: Path): boolean {
  let below = unwrapped(path);
  for (let at = below.parent; at; at = at.parent) {
    switch (at.node.type) {
      case "ObjectProperty":
      case "ObjectExpression":
      case "ArrayExpression":
      case "ParenthesizedExpression":
        below = at;
        continue;
      case "ReturnStatement":
      case "ExportDefaultDeclaration":
        return below.top;
      case "ExpressionStatement":
        return at.parent?.node.type === "Program" && at.parent.node.body.at(-1) === at.node;
      default:
        return false;
    }
  }
  return false;
}

/** Tells whether a promise in this place is surely a mistake: the code wants its value. */
export function isMisused(path: Path, { survey }: Rewriting): boolean {
  const outer = unwrapped(path);
  const parent = outer.parent?.node;
  switch (parent?.type) {
    case "MemberExpression":
    case "OptionalMemberExpression":
      return parent.object === outer.node;
    case "CallExpression":
    case "OptionalCallExpression":
      return parent.callee === outer.node;
    case "BinaryExpression":
    case "UpdateExpression":
    case "TemplateLiteral":
    case "SpreadElement":
      return true;
    case "UnaryExpression":
      return parent.operator !== "void";
    case "LogicalExpression":
      return parent.left === outer.node && parent.operator !== "??";
    case "ConditionalExpression":
    case "IfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return parent.test === outer.node;
    case "ForOfStatement":
      return parent.right === outer.node;
    case "SwitchStatement":
      return parent.discriminant === outer.node;
    case "VariableDeclarator":
      return parent.id.type !== "Identifier" ||
        survey.usesOf(parent.id.name, path.scope).reads.some(isRead);
    default:
      return false;
  }
}

/** Tells whether a variable that holds a promise is read as its value. */
function isRead(read: Path): boolean {
  const outer = unwrapped(read);
  const parent = outer.parent?.node;
  if (parent && isObjectOf(parent, outer.node)) return !HANDLERS.has(memberName(parent) ?? "");
  return parent?.type === "BinaryExpression" || parent?.type === "TemplateLiteral";
}

/** Tells whether the code right around an expression takes promises. */
function isPromiseUse(path: Path, shape: Shape, rewriting: Rewriting): boolean {
  const outer = unwrapped(path);
  const { parent } = outer;
  if (!parent) return false;
  const { node } = parent;
  if (node.type === "SpreadElement") {
    // A promise cannot be spread, not even in `Promise.all([...])`.
    return shape === "many" && inCombinator(parent);
  }
  if (shape === "one") {
    if (node.type === "AwaitExpression") return true;
    if (isObjectOf(node, outer.node)) return HANDLERS.has(memberName(node) ?? "");
    // `Promise.all` takes a list, which a promise is not.
    const isArgument = node.type === "CallExpression" && isCombinator(node, parent);
    return !isArgument && inCombinator(outer);
  }
  if (node.type === "ForOfStatement" && node.right === outer.node) {
    return node.await || isLoopOfPromises(node.left, rewriting);
  }
  if (isObjectOf(node, outer.node)) {
    return "computed" in node && node.computed === true && isPromiseUse(parent, "one", rewriting);
  }
  return inCombinator(outer);
}

function isLoopOfPromises(left: Node, { survey }: Rewriting): boolean {
  if (left.type !== "VariableDeclaration") return false;
  const id = left.declarations[0]?.id;
  if (id?.type !== "Identifier") return false;
  const reads = survey.reads.filter(({ node, scope }) => {
    return node.type === "Identifier" && node.name === id.name &&
      scope.lookup(id.name)?.declarations[0]?.target?.node === id;
  });
  return reads.length > 0 && reads.every((read) => {
    const outer = unwrapped(read);
    return outer.parent?.node.type === "AwaitExpression";
  });
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

/** Tells whether promises go to a variable that is only used as such: the author wants several
 * calls to run at once. */
function isKept(path: Path, shape: Shape, rewriting: Rewriting): boolean {
  let outer = unwrapped(path);
  const isListed = shape === "one" && outer.parent?.node.type === "ArrayExpression";
  if (isListed && outer.parent) outer = unwrapped(outer.parent);
  const reads = readsOf(outer, path, rewriting);
  const kept = isListed ? "many" : shape;
  const isUse = (read: Path) => isPromiseUse(read, kept, rewriting);
  return reads.some(isUse) &&
    reads.every((read) => isUse(read) || kept === "many" && isLength(read));
}

/** Reads of the variable that an expression is the only value of. */
function readsOf(outer: Path, { scope }: Path, { survey }: Rewriting): readonly Path[] {
  const parent = outer.parent?.node;
  if (parent?.type === "VariableDeclarator" && parent.id.type === "Identifier") {
    const uses = survey.usesOf(parent.id.name, scope);
    return uses.writes.length === 0 ? uses.reads : [];
  }
  if (parent?.type === "AssignmentExpression" && parent.left.type === "Identifier") {
    const uses = survey.usesOf(parent.left.name, scope);
    return uses.writes.length === 1 ? uses.reads : [];
  }
  return [];
}

function isLength(path: Path): boolean {
  const outer = unwrapped(path);
  return outer.parent !== undefined && memberName(outer.parent.node) === "length";
}

/** Tells whether an expression is what a new promise is resolved with. */
function isResolved(path: Path): boolean {
  const outer = unwrapped(path);
  const call = outer.parent?.node;
  if (call?.type !== "CallExpression" || call.callee.type !== "Identifier") return false;
  const { name } = call.callee;
  for (let at = outer.parent; at; at = at.parent) {
    const { node } = at;
    if (!("params" in node) || !Array.isArray(node.params)) continue;
    const [first] = node.params as Node[];
    const maker = at.parent?.node;
    if (first?.type === "Identifier" && first.name === name) {
      return maker?.type === "NewExpression" && maker.callee.type === "Identifier" &&
        maker.callee.name === "Promise";
    }
  }
  return false;
}

/** The synchronous function that returns an expression, unless a `try` is around it. */
function returningFunction(path: Path): Path | undefined {
  let below = unwrapped(path);
  let returned = false;
  for (let at = below.parent; at; at = at.parent) {
    const { node } = at;
    if (isFunction(node)) {
      const isBody = node.body === below.node;
      const isPlain = !node.async && !node.generator;
      return isPlain && isBody && (returned || node.body.type !== "BlockStatement")
        ? at
        : undefined;
    }
    if (!returned) {
      if (node.type === "ReturnStatement") returned = true;
      else if (!passesOn(node, below.node)) return undefined;
    } else if (node.type === "TryStatement" && node.finalizer !== below.node) return undefined;
    below = at;
  }
  return undefined;
}

/** Tells whether the author wrote that a function returns a promise. */
export function saysPromise({ returnType }: FunctionNode): boolean {
  const type = returnType?.type === "TSTypeAnnotation" ? returnType.typeAnnotation : undefined;
  return type?.type === "TSTypeReference" && type.typeName.type === "Identifier" &&
    type.typeName.name === "Promise";
}

/** Tells whether the value of `child` is a value of the expression `node`. */
function passesOn(node: Node, child: Node): boolean {
  switch (node.type) {
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
      return true;
    case "ConditionalExpression":
      return node.test !== child;
    case "LogicalExpression":
      return node.right === child;
    default:
      return false;
  }
}

function isFunction(node: Node): node is FunctionNode {
  return node.type.endsWith("Method") || node.type.startsWith("Function") ||
    node.type === "ArrowFunctionExpression";
}

function isObjectOf(parent: Node, node: Node): boolean {
  return (parent.type === "MemberExpression" || parent.type === "OptionalMemberExpression") &&
    parent.object === node;
}
