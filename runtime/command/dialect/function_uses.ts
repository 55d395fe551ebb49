/** Uses of a function that a command declares: calls of it, and callbacks that it is. */

import { isGlobal } from "./globals.ts";
import { type Path, unwrapped } from "./path.ts";
import type { Rewriting } from "./rewriting.ts";
import { inner, memberName } from "../../syntax/expression.ts";
import type { Node } from "../../syntax/parse.ts";
import type { Scope } from "../../syntax/scope.ts";
import { type FunctionNode, variableOf } from "./survey.ts";

type CallNode = Extract<Node, { type: "CallExpression" | "OptionalCallExpression" }>;

export type Use =
  /** `path` is the call. */
  | { readonly kind: "call"; readonly path: Path }
  /** Callback of a method of a list; `path` is the call of the method. */
  | { readonly kind: "list"; readonly path: Path; readonly method: string }
  /** Callback that may return a promise, or whose result is not taken. */
  | { readonly kind: "free" }
  /** Any other; `takes` names what calls it and takes no promise. */
  | { readonly kind: "other"; readonly path: Path; readonly takes?: string };

/** Methods of lists that `runtime/types/lists.ts` has too. */
export const LIST_METHODS: ReadonlySet<string> = new Set([
  "map",
  "flatMap",
  "filter",
  "forEach",
  "find",
  "findLast",
  "findIndex",
  "findLastIndex",
  "some",
  "every",
  "reduce",
  "reduceRight",
]);
export const HANDLERS: ReadonlySet<string> = new Set(["then", "catch", "finally"]);
const TIMERS = new Set(["setTimeout", "setInterval", "setImmediate", "queueMicrotask"]);
/** Functions that use at once what their callback returns, by the place of the callback. */
const STRICT: Readonly<Record<string, number>> = {
  sort: 0,
  toSorted: 0,
  replace: 1,
  replaceAll: 1,
  groupBy: 1,
  stringify: 1,
  parse: 1,
};
const MAX_DEPTH = 8;

/** Finds where the function at `path` goes; empty where nothing uses it. */
export function functionUses(path: Path, rewriting: Rewriting): readonly Use[] {
  const { node, scope } = path;
  if (node.type === "FunctionDeclaration") {
    return node.id ? nameUses(node.id.name, scope, { rewriting, path, depth: 0 }) : other(path);
  }
  const isPlain = node.type === "ArrowFunctionExpression" ||
    node.type === "FunctionExpression" && !node.id;
  return isPlain ? valueUses(path, rewriting, 0) : other(path);
}

/** The function behind an expression, where that is certain. */
export function functionOf(node: Node, scope: Scope, { survey }: Rewriting): Path | undefined {
  const value = inner(node);
  if (value.type !== "Identifier") return survey.functions.get(value);
  const binding = scope.lookup(value.name);
  if (!binding || survey.usesOf(value.name, scope).writes.length > 0) return undefined;
  const init = variableOf(binding)?.init;
  return survey.functions.get(init ? inner(init) : binding);
}

/** Callback of a call of a list's method, with the name of the method. */
export function listCallback(
  node: Node,
  rewriting: Rewriting,
): { readonly method: string; readonly callback: Node } | undefined {
  if (!isCall(node)) return undefined;
  const callee = inner(node.callee);
  const method = memberName(callee);
  if (method === undefined || !("object" in callee)) return undefined;
  const isFrom = method === "from" && isNamed(callee.object as Node, "Array");
  const isList = !("computed" in callee && callee.computed) && LIST_METHODS.has(method) &&
    !rewriting.targets.has(node);
  const callback = node.arguments[isFrom ? 1 : 0];
  return callback && (isFrom || isList) ? { method, callback } : undefined;
}

function nameUses(
  name: string,
  scope: Scope,
  { rewriting, path, depth, written = 0 }: {
    readonly rewriting: Rewriting;
    readonly path: Path;
    readonly depth: number;
    /** Assignments that the name may have. */
    readonly written?: number;
  },
): readonly Use[] {
  const { reads, writes } = rewriting.survey.usesOf(name, scope);
  const declarations = scope.lookup(name)?.declarations.length ?? 1;
  if (declarations !== 1 || writes.length > written) return other(path);
  return reads.flatMap((read) => valueUses(read, rewriting, depth + 1));
}

function valueUses(path: Path, rewriting: Rewriting, depth: number): readonly Use[] {
  const outer = unwrapped(path);
  const { parent } = outer;
  if (!parent || depth > MAX_DEPTH) return other(path);
  const { node, scope } = parent;
  switch (node.type) {
    case "CallExpression":
    case "OptionalCallExpression":
      return node.callee === outer.node
        ? [{ kind: "call", path: parent }]
        : argumentUses(outer, parent, { rewriting, depth });
    case "VariableDeclarator":
      return node.init === outer.node && node.id.type === "Identifier" && !node.id.typeAnnotation
        ? nameUses(node.id.name, scope, { rewriting, path, depth })
        : other(path);
    case "AssignmentExpression":
      return node.operator === "=" && node.right === outer.node && node.left.type === "Identifier"
        ? nameUses(node.left.name, scope, { rewriting, path, depth, written: 1 })
        : other(path);
    case "ExpressionStatement":
      return [];
    default:
      return other(path);
  }
}

function argumentUses(
  outer: Path,
  call: Path,
  { rewriting, depth }: { readonly rewriting: Rewriting; readonly depth: number },
): readonly Use[] {
  const node = call.node as CallNode;
  const at = node.arguments.findIndex((argument) => argument === outer.node);
  const list = listCallback(node, rewriting);
  if (list?.callback === outer.node) return [{ kind: "list", path: call, method: list.method }];
  const callee = inner(node.callee);
  const method = memberName(callee) ?? "";
  if (HANDLERS.has(method)) return [{ kind: "free" }];
  if (callee.type !== "Identifier") {
    const takes = STRICT[method] === at ? method : undefined;
    return [{ kind: "other", path: outer, ...(takes === undefined ? {} : { takes }) }];
  }
  if (!call.scope.lookup(callee.name) && isGlobal(callee.name)) {
    return TIMERS.has(callee.name) && at === 0 ? [{ kind: "free" }] : other(outer);
  }
  const called = functionOf(callee, call.scope, rewriting);
  const param = called && (called.node as FunctionNode).params[at];
  const isSpread = node.arguments.slice(0, at).some(({ type }) => type === "SpreadElement");
  if (!called || isSpread || param?.type !== "Identifier") return other(outer);
  const scope = rewriting.survey.scopeWithin(called);
  return nameUses(param.name, scope, { rewriting, path: outer, depth });
}

function isCall(node: Node): node is CallNode {
  return node.type === "CallExpression" || node.type === "OptionalCallExpression";
}

function isNamed(node: Node, name: string): boolean {
  return node.type === "Identifier" && node.name === name;
}

function other(path: Path): readonly Use[] {
  return [{ kind: "other", path }];
}
