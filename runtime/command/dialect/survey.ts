/** Survey of a command: one walk that collects the uses of its names and the nodes that the dialect
 * looks at. */

import { isErasable } from "../../syntax/erasable.ts";
import { TOOLS_MODULE } from "../../syntax/imports.ts";
import type { Node, Program } from "../../syntax/parse.ts";
import type { Binding, Declaration, Scope } from "../../syntax/scope.ts";
import { readScopes, type ScopeTable } from "../../syntax/scopes.ts";
import { valueChildren } from "../../syntax/strip.ts";
import { readPattern } from "../../syntax/targets.ts";
import type { Path, Write } from "./path.ts";

export interface Survey {
  readonly root: Scope;
  /** Names that are read. */
  readonly reads: readonly Path[];
  readonly writes: readonly Write[];
  /** Outer calls before those within them. */
  readonly calls: readonly Path[];
  readonly members: readonly Path[];
  readonly divisions: readonly Path[];
  readonly labels: readonly Path[];
  /** Functions by their nodes, and declared ones by their bindings too. */
  readonly functions: ReadonlyMap<Node | Binding, Path>;
  /** Every name declared anywhere. */
  readonly declared: ReadonlySet<string>;
  /** Scope of the parameters of a function. */
  scopeWithin(path: Path): Scope;
  /** Every use of the variable that a name is in a scope, or of a name that nothing declares. */
  usesOf(name: string, scope: Scope): Uses;
}

export interface Uses {
  readonly reads: readonly Path[];
  readonly writes: readonly Write[];
}

/** A variable as its one declaration shows it. */
export interface Variable {
  readonly kind: Declaration["kind"];
  /** The initializer, and the property of it where the variable is one. */
  readonly init?: Node;
  readonly property?: string;
  /** The scope that the initializer stands in. */
  readonly scope: Scope;
  readonly type?: Node;
}

export type FunctionNode = Extract<Node, {
  type:
    | "FunctionDeclaration"
    | "FunctionExpression"
    | "ArrowFunctionExpression"
    | "ObjectMethod"
    | "ClassMethod"
    | "ClassPrivateMethod";
}>;
type Context = Pick<Path, "awaits" | "top">;

const NO_USES: Uses = { reads: [], writes: [] };

/** Walks a program; recursion is bounded by the depth that the parser accepts. */
export function survey(program: Program): Survey {
  return new Surveyor(program);
}

/** The variable of a binding; undefined where it is declared twice, as by overloads. */
export function variableOf({ declarations }: Binding): Variable | undefined {
  const [declaration, second] = declarations;
  if (!declaration || second) return undefined;
  const { kind, target, init, scope, origin } = declaration;
  if (origin?.kind === "module" && kind === "import") {
    const property = origin.module === TOOLS_MODULE ? origin.path[0] : undefined;
    return { kind, scope, property };
  }
  const type = target?.node.type === "Identifier" ? target.node.typeAnnotation : undefined;
  const variable = { kind, scope, type: type ?? undefined };
  const { path = [], isRest = false, fallbacks = [] } = target ?? {};
  if (!init || !target?.path || isRest || fallbacks.length > 0 || path.length > 1) return variable;
  return { ...variable, init, property: path[0] };
}

class Surveyor implements Survey {
  readonly root: Scope;
  readonly declared: ReadonlySet<string>;
  readonly reads: Path[] = [];
  readonly writes: Write[] = [];
  readonly calls: Path[] = [];
  readonly members: Path[] = [];
  readonly divisions: Path[] = [];
  readonly labels: Path[] = [];
  readonly functions = new Map<Node | Binding, Path>();
  readonly #scopes: ScopeTable;
  /** By binding, or by name where nothing declares it. */
  readonly #uses = new Map<
    Binding | string,
    { readonly reads: Path[]; readonly writes: Write[] }
  >();

  constructor(program: Program) {
    this.#scopes = readScopes(program);
    this.root = this.#scopes.module;
    this.declared = this.#scopes.declared;
    const path = { node: program, parent: undefined, scope: this.root, awaits: true, top: true };
    for (const statement of program.body) this.#visit(statement, path);
    for (const read of this.reads) {
      if (read.node.type === "Identifier") this.#add(read.node.name, read.scope).reads.push(read);
    }
    for (const write of this.writes) this.#add(write.name, write.path.scope).writes.push(write);
  }

  usesOf(name: string, scope: Scope): Uses {
    return this.#uses.get(scope.lookup(name) ?? name) ?? NO_USES;
  }

  scopeWithin({ node, scope }: Path): Scope {
    const { params: [param] } = node as FunctionNode;
    return param ? this.#scopes.scopeOf(param, { parent: node, scope }) : scope;
  }

  #add(name: string, scope: Scope) {
    const key = scope.lookup(name) ?? name;
    let uses = this.#uses.get(key);
    if (!uses) this.#uses.set(key, uses = { reads: [], writes: [] });
    return uses;
  }

  #visit(node: Node, parent: Path, { awaits, top }: Context = parent): void {
    if (isErasable(node)) return;
    const scope = this.#scopes.scopeOf(node, { parent: parent.node, scope: parent.scope });
    const path: Path = { node, parent, scope, awaits, top };
    switch (node.type) {
      case "Identifier":
        this.reads.push(path);
        return;
      case "MetaProperty":
      case "PrivateName":
        return;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
      case "ObjectMethod":
      case "ClassMethod":
      case "ClassPrivateMethod":
        return this.#visitFunction(node, path);
      case "ClassDeclaration":
      case "ClassExpression":
        for (const child of [...(node.decorators ?? []), node.superClass, node.body]) {
          if (child) this.#visit(child, path);
        }
        return;
      default:
        return this.#visitWriter(node, path);
    }
  }

  /** Visits a node that may write names. */
  #visitWriter(node: Node, path: Path): void {
    switch (node.type) {
      case "VariableDeclarator":
        this.#visitPattern(node.id, path);
        if (node.init) this.#visit(node.init, path);
        return;
      case "AssignmentExpression":
        this.#visitTarget(node.left, path, node.operator === "=");
        return this.#visit(node.right, path);
      case "UpdateExpression":
        return this.#visitTarget(node.argument, path, false);
      case "ForInStatement":
      case "ForOfStatement":
        if (node.left.type === "VariableDeclaration") this.#visit(node.left, path);
        else this.#visitTarget(node.left, path, true);
        this.#visit(node.right, path);
        return this.#visit(node.body, path);
      case "CatchClause":
        if (node.param) this.#visitPattern(node.param, path);
        return this.#visit(node.body, path);
      case "ObjectProperty":
        if (node.computed) this.#visit(node.key, path);
        return this.#visit(node.value, path);
      default:
        return this.#visitOther(path);
    }
  }

  #visitOther(path: Path): void {
    const { node } = path;
    if (node.type === "CallExpression" || node.type === "OptionalCallExpression") {
      this.calls.push(path);
    } else if (node.type === "MemberExpression" || node.type === "OptionalMemberExpression") {
      this.members.push(path);
    } else if (node.type === "BinaryExpression" && node.operator === "/") {
      this.divisions.push(path);
    } else if (node.type === "LabeledStatement") {
      this.labels.push(path);
    }
    const context = isApart(node) ? { awaits: false, top: false } : path;
    for (const child of valueChildren(node)) this.#visit(child, path, context);
  }

  #visitFunction(node: FunctionNode, path: Path): void {
    this.functions.set(node, path);
    const name = node.type === "FunctionDeclaration" ? node.id?.name : undefined;
    const binding = name === undefined ? undefined : path.scope.lookup(name);
    if (binding) this.functions.set(binding, path);
    if ("key" in node && node.computed) this.#visit(node.key, path);
    if ("decorators" in node) { for (const item of node.decorators ?? []) this.#visit(item, path); }
    for (const param of node.params) this.#visitPattern(param, path, { awaits: false, top: false });
    this.#visit(node.body, path, { awaits: node.async === true, top: false });
  }

  /** Visits the expressions in a pattern that declares. */
  #visitPattern(pattern: Node, path: Path, context: Context = path): void {
    for (const expression of readPattern(pattern).expressions) {
      this.#visit(expression, path, context);
    }
  }

  /** Notes the names that an assignment writes to. */
  #visitTarget(target: Node, path: Path, plain: boolean): void {
    const { targets, expressions } = readPattern(target);
    for (const { node } of targets) {
      if (node.type === "Identifier") this.writes.push({ name: node.name, path, plain });
    }
    if (!plain && target.type === "Identifier") {
      this.reads.push({ ...path, node: target, parent: path });
    }
    for (const { node } of targets) if (node.type !== "Identifier") this.#visit(node, path);
    for (const expression of expressions) this.#visit(expression, path);
  }
}

/** Tells whether a node is evaluated apart from the code around it, where `await` may not stand. */
function isApart(node: Node): boolean {
  switch (node.type) {
    case "TSModuleDeclaration":
    case "TSEnumDeclaration":
    case "StaticBlock":
    case "ClassProperty":
    case "ClassPrivateProperty":
    case "ClassAccessorProperty":
      return true;
    default:
      return false;
  }
}
