/** One walk over a command: its scopes, the uses of its names, and what the dialect looks at. */

import { isErasable } from "../syntax/erasable.ts";
import { declaredNames } from "../syntax/lower.ts";
import type { Node, Program } from "../syntax/parse.ts";
import { valueChildren } from "../syntax/strip.ts";
import { takeApart } from "./patterns.ts";
import { type Binding, type Path, Scope, type Write } from "./scope.ts";

export interface Survey {
  readonly root: Scope;
  /** Names that are read, in the order of the text. */
  readonly reads: readonly Path[];
  readonly writes: readonly Write[];
  /** Outer calls before those within them. */
  readonly calls: readonly Path[];
  readonly members: readonly Path[];
  readonly divisions: readonly Path[];
  readonly labels: readonly Path[];
  /** Uses of names that nothing declares. */
  readonly free: ReadonlyMap<string, FreeUses>;
  /** Every name declared anywhere. */
  readonly declared: ReadonlySet<string>;
}

/** Every use of one name. */
export interface FreeUses {
  readonly reads: Path[];
  readonly writes: Write[];
}

type FunctionNode = Extract<Node, {
  type:
    | "FunctionDeclaration"
    | "FunctionExpression"
    | "ArrowFunctionExpression"
    | "ObjectMethod"
    | "ClassMethod"
    | "ClassPrivateMethod";
}>;
type Place = Pick<Path, "scope" | "awaits" | "top">;
type Details = Parameters<Scope["declare"]>[1];

/** Walks a program; recursion is bounded by what the parser itself takes. */
export function survey(program: Program): Survey {
  const surveyor = new Surveyor();
  surveyor.walk(program);
  return surveyor;
}

class Surveyor implements Survey {
  readonly root = new Scope(undefined, true);
  readonly reads: Path[] = [];
  readonly writes: Write[] = [];
  readonly calls: Path[] = [];
  readonly members: Path[] = [];
  readonly divisions: Path[] = [];
  readonly labels: Path[] = [];
  readonly free = new Map<string, FreeUses>();
  readonly declared = new Set<string>();

  walk(program: Program): void {
    const place = { scope: this.root, awaits: true, top: true };
    const path = { node: program, parent: undefined, ...place };
    for (const statement of program.body) this.#visit(statement, path, place);
    for (const read of this.reads) {
      if (read.node.type === "Identifier") this.#uses(read.node.name, read.scope).reads.push(read);
    }
    for (const write of this.writes) this.#uses(write.name, write.path.scope).writes.push(write);
  }

  #uses(name: string, scope: Scope): FreeUses {
    const binding = scope.lookup(name);
    if (binding) return binding;
    let uses = this.free.get(name);
    if (!uses) this.free.set(name, uses = { reads: [], writes: [] });
    return uses;
  }

  #visit(node: Node, parent: Path, place: Place): void {
    if (isErasable(node)) return this.#declareErased(node, place.scope);
    const path: Path = { ...place, node, parent };
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
        return this.#visitFunction(node, path, place);
      case "ClassDeclaration":
      case "ClassExpression":
        return this.#visitClass(node, path, place);
      case "VariableDeclaration":
        return this.#visitVariables(node, path, place);
      case "ImportDeclaration":
        for (const { local, ...item } of node.specifiers) {
          const imported = "imported" in item ? item.imported : undefined;
          const property = imported?.type === "Identifier" ? imported.name : undefined;
          const known = node.source.value === "toolscript" && property !== undefined;
          this.#declare(local.name, place.scope, {
            kind: "import",
            ...(known ? { property } : {}),
          });
        }
        return;
      case "AssignmentExpression":
        this.#visitTarget(node.left, path, node.operator === "=");
        return this.#visit(node.right, path, place);
      case "UpdateExpression":
        return this.#visitTarget(node.argument, path, false);
      case "ForInStatement":
      case "ForOfStatement":
        return this.#visitFor(node, path, place);
      case "CatchClause": {
        const within = { ...place, scope: new Scope(place.scope, false) };
        if (node.param) this.#bind(node.param, { kind: "other" }, { path, place: within });
        return this.#visit(node.body, path, within);
      }
      case "ObjectProperty":
        if (node.computed) this.#visit(node.key, path, place);
        return this.#visit(node.value, path, place);
      default:
        return this.#visitOther(path, place);
    }
  }

  #visitOther(path: Path, place: Place): void {
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
    const within = this.#within(node, place);
    for (const child of valueChildren(node)) this.#visit(child, path, within);
  }

  /** The place of a node's children. */
  #within(node: Node, place: Place): Place {
    switch (node.type) {
      case "BlockStatement":
      case "ForStatement":
      case "SwitchStatement":
        return { ...place, scope: new Scope(place.scope, false) };
      case "TSModuleDeclaration":
      case "TSEnumDeclaration":
        for (const name of declaredNames(node)) this.#declare(name, place.scope, { kind: "other" });
        return { scope: new Scope(place.scope, true), awaits: false, top: false };
      case "TSImportEqualsDeclaration":
        this.#declare(node.id.name, place.scope, { kind: "other" });
        return place;
      case "StaticBlock":
      case "ClassProperty":
      case "ClassPrivateProperty":
      case "ClassAccessorProperty":
        return { scope: new Scope(place.scope, true), awaits: false, top: false };
      default:
        return place;
    }
  }

  #visitFunction(node: FunctionNode, path: Path, place: Place): void {
    const scope = new Scope(place.scope, true);
    if ("id" in node && node.id) {
      const owner = node.type === "FunctionDeclaration" ? place.scope : scope;
      this.#declare(node.id.name, owner, { kind: "other" });
    }
    if ("key" in node && node.computed) this.#visit(node.key, path, place);
    if ("decorators" in node) {
      for (const item of node.decorators ?? []) this.#visit(item, path, place);
    }
    const params = { scope, awaits: false, top: false };
    for (const param of node.params) this.#bind(param, { kind: "param" }, { path, place: params });
    this.#visit(node.body, path, { scope, awaits: node.async === true, top: false });
  }

  #visitClass(
    node: Extract<Node, { type: "ClassDeclaration" | "ClassExpression" }>,
    path: Path,
    place: Place,
  ): void {
    const scope = new Scope(place.scope, false);
    if (node.id) {
      const owner = node.type === "ClassDeclaration" ? place.scope : scope;
      this.#declare(node.id.name, owner, { kind: "other" });
    }
    const within = { ...place, scope };
    for (const child of [...(node.decorators ?? []), node.superClass, node.body]) {
      if (child) this.#visit(child, path, within);
    }
  }

  #visitVariables(
    node: Extract<Node, { type: "VariableDeclaration" }>,
    path: Path,
    place: Place,
  ): void {
    const scope = node.kind === "var" ? place.scope.function() : place.scope;
    const kind = node.kind === "let" ? "let" : node.kind === "const" ? "const" : "other";
    for (const item of node.declarations) {
      const itemPath = { ...place, node: item, parent: path };
      const init = item.init ?? undefined;
      this.#bind(item.id, { kind, ...(init ? { init } : {}) }, {
        path: itemPath,
        place: { ...place, scope },
      });
      if (init) this.#visit(init, itemPath, place);
    }
  }

  #visitFor(
    node: Extract<Node, { type: "ForInStatement" | "ForOfStatement" }>,
    path: Path,
    place: Place,
  ): void {
    const within = { ...place, scope: new Scope(place.scope, false) };
    if (node.left.type === "VariableDeclaration") this.#visit(node.left, path, within);
    else this.#visitTarget(node.left, path, true);
    this.#visit(node.right, path, place);
    this.#visit(node.body, path, within);
  }

  /** Declares the names of a pattern and visits what stands in it. */
  #bind(
    pattern: Node,
    { kind, init }: { readonly kind: Binding["kind"]; readonly init?: Node },
    { path, place }: { readonly path: Path; readonly place: Place },
  ): void {
    const { names, expressions } = takeApart(pattern);
    for (const { name, type, property, whole } of names) {
      this.#declare(name, place.scope, {
        kind,
        ...(init && (whole || property !== undefined) ? { init } : {}),
        ...(property === undefined ? {} : { property }),
        ...(type ? { type } : {}),
      });
    }
    for (const expression of expressions) this.#visit(expression, path, place);
  }

  /** Notes what an assignment writes to. */
  #visitTarget(target: Node, path: Path, plain: boolean): void {
    const { names, expressions, targets } = takeApart(target);
    for (const { name } of names) this.writes.push({ name, path, plain });
    if (!plain && target.type === "Identifier") {
      this.reads.push({ ...path, node: target, parent: path });
    }
    for (const node of [...targets, ...expressions]) this.#visit(node, path, path);
  }

  #declareErased(node: Node, scope: Scope): void {
    const names = node.type === "TSDeclareFunction" && node.id
      ? [node.id.name]
      : "declaration" in node && node.declaration
      ? declaredNames(node.declaration)
      : declaredNames(node);
    for (const name of names) this.#declare(name, scope, { kind: "other" });
    if (node.type === "ImportDeclaration") {
      for (const { local } of node.specifiers) this.#declare(local.name, scope, { kind: "other" });
    }
  }

  #declare(name: string, scope: Scope, details: Details): void {
    this.declared.add(name);
    scope.declare(name, details);
  }
}
