/** Finds each place where a module calls, imports or passes on a name that it does not declare. */

import { isErasable } from "../syntax/erasable.ts";
import { type Node, type ParsedModule, placeOf } from "../syntax/parse.ts";
import type { Place } from "../syntax/place.ts";
import { valueChildren } from "../syntax/strip.ts";
import { createReferences, memberKey, moduleName, type Reference } from "./references.ts";
import type { Scope } from "../syntax/scope.ts";
import { readScopes } from "../syntax/scopes.ts";
import { constantText, isWrapper } from "../syntax/expression.ts";

export type Use =
  | ({ readonly kind: "import"; readonly module: string; readonly node: Node } & Place)
  | ({
    readonly kind: "call";
    readonly reference: Reference;
    /** Missing if the tool or the arguments are known only at run time. */
    readonly arguments?: readonly Node[];
    /** Reference without `call`, `apply` or `bind`: `eval` for `eval.call`. */
    readonly instead?: Reference;
  } & Place)
  /** The reference is passed on: as an argument, an element, a returned value. */
  | ({ readonly kind: "hand_on"; readonly reference: Reference } & Place);

interface Item {
  readonly node: Node;
  readonly scope: Scope;
  readonly up: Item | undefined;
}

const MAX_CLIMB = 64;

/** Finds the uses of a module, in no particular order. `packs` are ambient variables. */
export function findUses(module: ParsedModule, packs: ReadonlySet<string>): Use[] {
  const table = readScopes(module.program);
  const references = createReferences(packs);
  const uses: Use[] = [];
  const stack: Item[] = [{ node: module.program, scope: table.module, up: undefined }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { node, scope } = item;
    if (isErasable(node)) continue;
    for (const use of usesAt(item)) uses.push(use);
    for (const child of valueChildren(node)) {
      stack.push({ node: child, scope: table.scopeOf(child, { parent: node, scope }), up: item });
    }
  }
  return uses;

  function usesAt(item: Item): Use[] {
    return [...importsOf(item.node), ...callsOf(item), ...handedOn(item), ...computedUses(item)];
  }

  function callsOf({ node, scope }: Item): Use[] {
    const callee = calleeOf(node);
    if (!callee) return [];
    const callees = references.of(callee, scope);
    return callees.map((reference) => ({
      kind: "call" as const,
      reference,
      ...(callees.length === 1 ? literalArguments(node, reference) : {}),
      ...shorter(reference),
      ...placeOf(node),
    }));
  }

  function handedOn(item: Item): Use[] {
    const { node, scope } = item;
    if (!["Identifier", "MemberExpression", "OptionalMemberExpression"].includes(node.type)) {
      return [];
    }
    const targets = references.of(node, scope);
    if (targets.length === 0 || !isHandedOn(item)) return [];
    return targets.map((reference) => ({ kind: "hand_on" as const, reference, ...placeOf(node) }));
  }

  /** Uses of tools whose member is known only at run time. */
  function computedUses({ node, scope }: Item): Use[] {
    if (node.type !== "MemberExpression" && node.type !== "OptionalMemberExpression") return [];
    if (memberKey(node) !== undefined) return [];
    const tools = references.of(node.object, scope).filter(({ from }) => from === "tools");
    return tools.map((reference) => ({ kind: "hand_on" as const, reference, ...placeOf(node) }));
  }
}

/** Arguments of a tool call, if the code shows the tool and the arguments. */
function literalArguments(
  node: Node,
  { path, computed }: Reference,
): { arguments?: readonly Node[] } {
  if (path.length !== 2 || computed) return {};
  const isCall = node.type === "CallExpression" || node.type === "OptionalCallExpression";
  return isCall ? { arguments: node.arguments } : {};
}

function importsOf(node: Node): Use[] {
  const specifier = specifierOf(node);
  if (specifier === undefined || /^[./]/.test(specifier)) return [];
  return [{ kind: "import", module: moduleName(specifier), node, ...placeOf(node) }];
}

function specifierOf(node: Node): string | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
      return node.source.value;
    case "ExportNamedDeclaration":
      return node.source?.value;
    case "TSImportEqualsDeclaration":
      return node.moduleReference.type === "TSExternalModuleReference"
        ? node.moduleReference.expression.value
        : undefined;
    case "ImportExpression":
      return constantText(node.source);
    case "CallExpression":
    case "OptionalCallExpression":
      return loaded(node.callee) && node.arguments[0] ? constantText(node.arguments[0]) : undefined;
    default:
      return undefined;
  }
}

/** Tells whether a call of this function loads a module by its name. */
function loaded(callee: Node): boolean {
  if (callee.type === "Identifier") return callee.name === "require";
  if (callee.type !== "MemberExpression" && callee.type !== "OptionalMemberExpression") {
    return false;
  }
  return memberKey(callee) === "getBuiltinModule";
}

function calleeOf(node: Node): Node | undefined {
  switch (node.type) {
    case "CallExpression":
    case "OptionalCallExpression":
    case "NewExpression":
      return node.callee;
    case "TaggedTemplateExpression":
      return node.tag;
    default:
      return undefined;
  }
}

function shorter({ from, path }: Reference): { instead?: Reference } {
  const last = path.at(-1) ?? "";
  if (!["call", "apply", "bind"].includes(last)) return {};
  if (path.length < (from === "tools" ? 3 : 2)) return {};
  return { instead: { from, path: path.slice(0, -1) } };
}

/** Tells whether a reference is passed on to where its uses cannot be followed. */
function isHandedOn(item: Item): boolean {
  let { node, up } = item;
  for (let climbed = 0; up && climbed < MAX_CLIMB; climbed++) {
    const verdict = verdictOf(node, up);
    if (verdict !== "as its parent") return verdict === "handed on";
    node = up.node;
    up = up.up;
  }
  return true;
}

type Verdict = "handed on" | "kept" | "as its parent";

function verdictOf(node: Node, { node: parent, scope, up }: Item): Verdict {
  if (isWrapper(parent)) return "as its parent";
  switch (parent.type) {
    case "TSInstantiationExpression":
    case "AwaitExpression":
    case "LogicalExpression":
      return "as its parent";
    case "SequenceExpression":
      return parent.expressions.at(-1) === node ? "as its parent" : "kept";
    case "ConditionalExpression":
      return parent.test === node ? "kept" : "as its parent";
    case "AssignmentExpression":
      if (parent.right !== node) return "kept";
      return isFollowed(parent.left, scope) ? "as its parent" : "handed on";
    default:
      return givesAway(node, parent, up) ? "handed on" : "kept";
  }
}

/** Tells that a node gives a value in it to code that is not followed. */
function givesAway(node: Node, parent: Node, up: Item["up"]): boolean {
  switch (parent.type) {
    case "VariableDeclarator":
      return up?.up?.node.type === "ExportNamedDeclaration" && parent.init === node;
    case "CallExpression":
    case "OptionalCallExpression":
    case "NewExpression":
      return parent.callee !== node;
    case "ObjectProperty":
      return up?.node.type !== "ObjectPattern" && parent.value === node;
    case "ClassDeclaration":
    case "ClassExpression":
      return parent.superClass === node;
    case "ClassProperty":
    case "ClassPrivateProperty":
    case "ClassAccessorProperty":
      return parent.value === node;
    case "ArrowFunctionExpression":
      return parent.body === node;
    case "ArrayExpression":
    case "SpreadElement":
    case "ReturnStatement":
    case "YieldExpression":
    case "ThrowStatement":
    case "Decorator":
    case "ExportDefaultDeclaration":
    case "ExportNamedDeclaration":
      return true;
    default:
      return false;
  }
}

function isFollowed(target: Node, scope: Scope): boolean {
  if (target.type === "Identifier") return scope.lookupValue(target.name) !== undefined;
  return target.type === "ObjectPattern" || target.type === "ArrayPattern";
}
