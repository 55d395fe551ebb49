/** Scope analysis: one walk over a module that reads its scopes, declarations and assignments. */

import { hasTypesOnly, isErasable } from "./erasable.ts";
import { constantKey } from "./expression.ts";
import { declaredNames } from "./lower.ts";
import { children, type Node, type Program } from "./parse.ts";
import { type Binding, type Declaration, type Origin, Scope } from "./scope.ts";
import { readPattern, type Target } from "./targets.ts";

export interface ScopeTable {
  readonly module: Scope;
  /** Every name declared anywhere. */
  readonly declared: ReadonlySet<string>;
  /** The scope of a child of `parent`, which itself stands in `scope`. */
  scopeOf(child: Node, { parent, scope }: { readonly parent: Node; readonly scope: Scope }): Scope;
}

/** Reads the scopes of a module. */
export function readScopes(program: Program): ScopeTable {
  return new Analysis(program);
}

interface Item {
  readonly node: Node;
  readonly parent: Node | undefined;
  readonly scope: Scope;
}

type Holder = Pick<Declaration, "kind"> & { readonly holder: Scope };

interface Assignment {
  readonly target: Node;
  readonly value: Node | undefined;
  readonly scope: Scope;
}

class Analysis implements ScopeTable {
  readonly module = new Scope(undefined, true);
  readonly declared = new Set<string>();
  /** Scopes by the node that opens them. */
  readonly #opened = new Map<Node, Scope>();
  readonly #bodies = new Set<Scope>();
  readonly #assignments: Assignment[] = [];

  constructor(program: Program) {
    this.#opened.set(program, this.module);
    const stack: Item[] = [{ node: program, parent: undefined, scope: this.module }];
    for (let item = stack.pop(); item; item = stack.pop()) {
      const { node, scope } = item;
      if (hasTypesOnly(node)) continue;
      if (isErasable(node)) {
        this.#declareTypes(node, scope);
        continue;
      }
      this.#visit(item);
      for (const child of children(node)) {
        if (isLeaf(child)) continue;
        stack.push({
          node: child,
          parent: node,
          scope: this.scopeOf(child, { parent: node, scope }),
        });
      }
    }
    for (const assignment of this.#assignments) assign(assignment);
  }

  scopeOf(child: Node, { parent, scope }: { readonly parent: Node; readonly scope: Scope }): Scope {
    const opened = this.#opened.get(parent);
    return !opened || isOutside(child, parent) ? scope : opened;
  }

  #visit(item: Item): void {
    const { node, scope } = item;
    this.#declareOutside(node, scope);
    const kind = scopeKind(item);
    if (kind !== undefined) {
      const opened = new Scope(scope, kind !== "block");
      this.#opened.set(node, opened);
      if (kind === "body") this.#bodies.add(opened);
    }
    this.#declareInside(node, this.#opened.get(node) ?? scope);
    if (node.type === "AssignmentExpression") {
      this.#assignments.push({ target: node.left, value: node.right, scope });
    }
  }

  /** Declares the names that a node adds to the scope that it stands in. */
  #declareOutside(node: Node, scope: Scope): void {
    switch (node.type) {
      case "VariableDeclaration": {
        const kind = node.kind === "var" || node.kind === "let" || node.kind === "const"
          ? node.kind
          : "other";
        const holder = kind === "var" ? varScope(scope) : scope;
        for (const { id, init } of node.declarations) {
          this.#declarePattern(id, { kind, holder }, { scope, init: init ?? undefined });
        }
        return;
      }
      case "FunctionDeclaration":
      case "ClassDeclaration":
      case "TSEnumDeclaration":
      case "TSModuleDeclaration":
        for (const name of declaredNames(node)) this.#declare(name, { kind: "other", scope });
        return;
      case "TSImportEqualsDeclaration": {
        const origin = importEquals(node.moduleReference, scope);
        this.#declare(node.id.name, { kind: "other", scope, origin });
        return;
      }
      case "ImportDeclaration":
        for (const item of node.specifiers) {
          this.#declare(item.local.name, importOf(item, node.source.value, scope));
        }
        return;
    }
  }

  /** Declares the names that a node adds to the scope that it opens. */
  #declareInside(node: Node, scope: Scope): void {
    if ((node.type === "FunctionExpression" || node.type === "ClassExpression") && node.id) {
      this.#declare(node.id.name, { kind: "other", scope });
    }
    if ("params" in node && Array.isArray(node.params)) {
      for (const param of node.params) {
        if (hasTypesOnly(param)) continue;
        this.#declarePattern(param, { kind: "param", holder: scope }, { scope });
      }
    }
    if (node.type === "CatchClause" && node.param) {
      this.#declarePattern(node.param, { kind: "other", holder: scope }, { scope });
    }
  }

  #declareTypes(node: Node, scope: Scope): void {
    for (const name of erasedNames(node)) this.#declare(name, { kind: "type", scope });
  }

  #declarePattern(
    pattern: Node,
    { kind, holder }: Holder,
    { scope, init }: Pick<Declaration, "scope" | "init">,
  ): void {
    for (const target of readPattern(pattern).targets) {
      if (target.node.type !== "Identifier") continue;
      const { name } = target.node;
      // A `var` with the name of a parameter is that parameter.
      if (kind === "var" && this.#bodies.has(holder)) holder.adopt(name);
      const binding = this.#declare(name, { kind, target, init, scope }, holder);
      if (kind !== "var") addOrigins(binding, target, { value: init, scope });
    }
    // The value of a `var` in a `catch` block can go to the parameter of `catch`.
    if (kind === "var") this.#assignments.push({ target: pattern, value: init, scope });
  }

  #declare(name: string, declaration: Declaration, holder = declaration.scope): Binding {
    this.declared.add(name);
    const binding = holder.declare(name, declaration);
    if (declaration.origin) binding.origins.push(declaration.origin);
    return binding;
  }
}

/** Tells whether a node declares nothing, nor anything below it. */
function isLeaf({ type }: Node): boolean {
  return type === "Identifier" || type === "StringLiteral" || type === "NumericLiteral";
}

/** Tells whether a child of a node that opens a scope is evaluated outside of it. */
function isOutside(child: Node, parent: Node): boolean {
  switch (parent.type) {
    case "ObjectMethod":
    case "ClassMethod":
    case "ClassPrivateMethod":
      return parent.key === child || child.type === "Decorator";
    case "ClassExpression":
      return child.type === "Decorator";
    case "SwitchStatement":
      return parent.discriminant === child;
    case "ForInStatement":
    case "ForOfStatement":
      return parent.right === child;
    default:
      return false;
  }
}

/** The kind of scope that a node opens for its children. */
function scopeKind({ node, parent }: Item): "body" | "static" | "block" | undefined {
  switch (node.type) {
    case "StaticBlock":
    case "TSModuleBlock":
      return "static";
    case "BlockStatement":
      return parent && isFunction(parent) ? "body" : "block";
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "SwitchStatement":
    case "CatchClause":
    case "ClassExpression":
      return "block";
    default:
      // Parameters: what `var` declares in the body is not seen from their defaults.
      return isFunction(node) ? "block" : undefined;
  }
}

function isFunction(node: Node): boolean {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "ObjectMethod":
    case "ClassMethod":
    case "ClassPrivateMethod":
      return true;
    default:
      return false;
  }
}

function varScope(scope: Scope): Scope {
  let holder = scope;
  while (!holder.holdsVars && holder.parent) holder = holder.parent;
  return holder;
}

function importOf(item: Node, module: string, scope: Scope): Declaration {
  const origin = (path: readonly string[]) => ({ kind: "module", module, path }) as const;
  if (item.type === "ImportNamespaceSpecifier") {
    return { kind: "import", scope, origin: origin([]) };
  }
  if (item.type !== "ImportSpecifier") {
    return { kind: "import", scope, origin: origin(["default"]) };
  }
  if (item.importKind === "type") return { kind: "type", scope };
  return { kind: "import", scope, origin: origin([constantKey(item.imported)]) };
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

/** Names of a declaration that vanishes when types are erased. */
function erasedNames(node: Node): string[] {
  if (node.type === "TSDeclareFunction") return node.id ? [node.id.name] : [];
  if (node.type === "ImportDeclaration") return node.specifiers.map(({ local }) => local.name);
  if ("declaration" in node && node.declaration) return erasedNames(node.declaration);
  return declaredNames(node);
}

function assign({ target, value, scope }: Assignment): void {
  for (const part of readPattern(target).targets) {
    const binding = part.node.type === "Identifier" ? scope.lookupValue(part.node.name) : undefined;
    if (binding) addOrigins(binding, part, { value, scope });
  }
}

function addOrigins(
  { origins }: Binding,
  { path, fallbacks }: Target,
  { value, scope }: Pick<Assignment, "value" | "scope">,
): void {
  if (value && path) origins.push({ kind: "value", node: value, scope, path });
  for (const fallback of fallbacks) {
    origins.push({ kind: "value", node: fallback.value, scope, path: fallback.path });
  }
}
