/** What a command declares, where, and where it is used. */

import type { Node } from "../syntax/parse.ts";

/** A node on its way down from the program. */
export interface Path {
  readonly node: Node;
  readonly parent: Path | undefined;
  readonly scope: Scope;
  /** `await` may stand here. */
  readonly awaits: boolean;
  /** Within no function. */
  readonly top: boolean;
}

/** An assignment to a name. */
export interface Write {
  readonly name: string;
  readonly path: Path;
  /** `=`, as a statement or within one; not `+=` and its like. */
  readonly plain: boolean;
}

export interface Binding {
  readonly name: string;
  readonly kind: "const" | "let" | "param" | "import" | "other";
  /** What it is declared to be: the initialiser, and the property of it where it is unpacked. */
  readonly init?: Node;
  readonly property?: string;
  /** The scope that the initialiser stands in. */
  readonly scope: Scope;
  readonly type?: Node;
  readonly reads: Path[];
  readonly writes: Write[];
}

/** The names of a block, function or program. */
export class Scope {
  readonly parent: Scope | undefined;
  readonly isFunction: boolean;
  readonly #bindings = new Map<string, Binding>();

  constructor(parent: Scope | undefined, isFunction: boolean) {
    this.parent = parent;
    this.isFunction = isFunction;
  }

  declare(name: string, details: Pick<Binding, "kind" | "init" | "property" | "type">): void {
    const before = this.#bindings.get(name);
    // A name declared twice (`var`, overloads) is no longer known by one of its declarations.
    const known = before ? { kind: "other" as const } : details;
    this.#bindings.set(name, {
      name,
      ...known,
      scope: this,
      reads: before?.reads ?? [],
      writes: before?.writes ?? [],
    });
  }

  own(name: string): Binding | undefined {
    return this.#bindings.get(name);
  }

  lookup(name: string): Binding | undefined {
    return this.#bindings.get(name) ?? this.parent?.lookup(name);
  }

  /** The scope that `var` declares in. */
  function(): Scope {
    return this.isFunction || !this.parent ? this : this.parent.function();
  }
}

/** The path above wrappers that change no value: parentheses, `!`, `as`, `satisfies`. */
export function unwrapped(path: Path): Path {
  let outer = path;
  while (outer.parent && isWrapper(outer.parent.node)) outer = outer.parent;
  return outer;
}

/** The expression within such wrappers. */
export function inner(node: Node): Node {
  let found = node;
  while (isWrapper(found)) found = found.expression;
  return found;
}

function isWrapper(node: Node): node is Extract<Node, {
  type:
    | "ParenthesizedExpression"
    | "TSNonNullExpression"
    | "TSAsExpression"
    | "TSSatisfiesExpression"
    | "TSTypeAssertion";
}> {
  switch (node.type) {
    case "ParenthesizedExpression":
    case "TSNonNullExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSTypeAssertion":
      return true;
    default:
      return false;
  }
}

/** The name of a member that is written out: `a.b`, `a["b"]`. */
export function memberName(node: Node): string | undefined {
  if (node.type !== "MemberExpression" && node.type !== "OptionalMemberExpression") {
    return undefined;
  }
  const { property } = node;
  if (!node.computed) return property.type === "Identifier" ? property.name : undefined;
  return property.type === "StringLiteral" ? property.value : undefined;
}
