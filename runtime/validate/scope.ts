/** Which names a module declares, where they hold, and what they may be. */

import { hasTypesOnly, isErasable } from "../syntax/erasable.ts";
import { children, type Node, type Program } from "../syntax/parse.ts";
import { keyText, type TargetPath, targetsOf } from "./targets.ts";

/** Where a name's value comes from. */
export type Origin =
  | {
    readonly kind: "value";
    readonly node: Node;
    readonly scope: Scope;
    readonly path: TargetPath;
  }
  | { readonly kind: "module"; readonly module: string; readonly path: TargetPath };

/** One declared name, with everything that it is ever given. */
export interface Binding {
  readonly origins: Origin[];
}

/** The names of one block, function or module. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly names: Map<string, Binding>;
  /** `var` belongs to the nearest of these. */
  readonly holdsVars: boolean;
}

export interface ScopeTable {
  readonly module: Scope;
  /** The scope that a node opens for what is inside it. */
  opened(node: Node): Scope | undefined;
}

/** The binding of a name as seen from a scope; undefined when the platform is meant. */
export function findBinding(name: string, from: Scope): Binding | undefined {
  for (let scope: Scope | undefined = from; scope; scope = scope.parent) {
    const binding = scope.names.get(name);
    if (binding) return binding;
  }
  return undefined;
}

/** Reads every declaration and assignment of a module. Types declare nothing. */
export function readScopes(program: Program): ScopeTable {
  const module = createScope(undefined, true);
  const scopes = new Map<Node, Scope>([[program, module]]);
  const assignments: Given[] = [];
  const stack: { node: Node; scope: Scope }[] = [{ node: program, scope: module }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { node, scope } = item;
    if (hasTypesOnly(node) || isErasable(node)) continue;
    declareOutside(node, scope);
    const inner = node === program ? module : openScope(node, scope);
    if (inner !== scope) scopes.set(node, inner);
    declareInside(node, inner);
    if (node.type === "AssignmentExpression") {
      assignments.push({ target: node.left, value: node.right, scope });
    }
    for (const child of children(node)) stack.push({ node: child, scope: inner });
  }
  for (const given of assignments) assign(given);
  return { module, opened: (node) => scopes.get(node) };
}

interface Given {
  readonly target: Node;
  readonly value: Node | undefined;
  readonly scope: Scope;
}

function createScope(parent: Scope | undefined, holdsVars: boolean): Scope {
  return { parent, names: new Map(), holdsVars };
}

function openScope(node: Node, scope: Scope): Scope {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "ObjectMethod":
    case "ClassMethod":
    case "ClassPrivateMethod":
    case "StaticBlock":
    case "TSModuleBlock":
      return createScope(scope, true);
    case "BlockStatement":
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "SwitchStatement":
    case "CatchClause":
    case "ClassExpression":
      return createScope(scope, false);
    default:
      return scope;
  }
}

/** Declares what a node adds to the scope that it stands in. */
function declareOutside(node: Node, scope: Scope): void {
  switch (node.type) {
    case "VariableDeclaration":
      for (const { id, init } of node.declarations) {
        const holder = node.kind === "var" ? varScope(scope) : scope;
        declare({ target: id, value: init ?? undefined, scope }, holder);
      }
      return;
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSEnumDeclaration":
    case "TSModuleDeclaration":
      if (node.id?.type === "Identifier") bindingIn(scope, node.id.name);
      return;
    case "TSImportEqualsDeclaration":
      bindingIn(scope, node.id.name).origins.push(importEquals(node.moduleReference, scope));
      return;
    case "ImportDeclaration":
      for (const item of node.specifiers) declareImport(item, node.source.value, scope);
      return;
    default:
      return;
  }
}

/** Declares what a node adds to the scope that it opens. */
function declareInside(node: Node, scope: Scope): void {
  if (node.type === "FunctionExpression" || node.type === "ClassExpression") {
    if (node.id) bindingIn(scope, node.id.name);
  }
  if ("params" in node && Array.isArray(node.params)) {
    for (const param of node.params) {
      const target = param.type === "TSParameterProperty" ? param.parameter : param;
      if (!hasTypesOnly(param)) declare({ target, value: undefined, scope }, scope);
    }
  }
  if (node.type === "CatchClause" && node.param) {
    declare({ target: node.param, value: undefined, scope }, scope);
  }
}

function declareImport(item: Node, module: string, scope: Scope): void {
  if (item.type === "ImportNamespaceSpecifier") {
    bindingIn(scope, item.local.name).origins.push({ kind: "module", module, path: [] });
  } else if (item.type === "ImportDefaultSpecifier") {
    bindingIn(scope, item.local.name).origins.push({ kind: "module", module, path: ["default"] });
  } else if (item.type === "ImportSpecifier" && item.importKind !== "type") {
    const path = [keyText(item.imported)];
    bindingIn(scope, item.local.name).origins.push({ kind: "module", module, path });
  }
}

/** `import cp = require("child_process")`, or a longer name. */
function importEquals(reference: Node, scope: Scope): Origin {
  if (reference.type === "TSExternalModuleReference") {
    return { kind: "module", module: reference.expression.value, path: [] };
  }
  const path: string[] = [];
  let node = reference;
  while (node.type === "TSQualifiedName") {
    path.unshift(node.right.name);
    node = node.left;
  }
  return { kind: "value", node, scope, path };
}

function declare({ target, value, scope }: Given, holder: Scope): void {
  for (const { node, path, fallback } of targetsOf(target)) {
    if (node.type !== "Identifier") continue;
    const { origins } = bindingIn(holder, node.name);
    if (value && path) origins.push({ kind: "value", node: value, scope, path });
    if (fallback) origins.push({ kind: "value", node: fallback, scope, path: [] });
  }
}

function assign({ target, value, scope }: Given): void {
  for (const { node, path, fallback } of targetsOf(target)) {
    const binding = node.type === "Identifier" ? findBinding(node.name, scope) : undefined;
    if (value && path) binding?.origins.push({ kind: "value", node: value, scope, path });
    if (fallback) binding?.origins.push({ kind: "value", node: fallback, scope, path: [] });
  }
}

function bindingIn(scope: Scope, name: string): Binding {
  const known = scope.names.get(name);
  if (known) return known;
  const binding: Binding = { origins: [] };
  scope.names.set(name, binding);
  return binding;
}

function varScope(scope: Scope): Scope {
  let holder = scope;
  while (!holder.holdsVars && holder.parent) holder = holder.parent;
  return holder;
}
