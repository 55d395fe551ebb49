/** Scopes, the names declared in them, and the values that these get. */

import type { Node } from "./parse.ts";
import type { Target, TargetPath } from "./targets.ts";

/** A value that a name gets. */
export type Origin =
  | {
    readonly kind: "value";
    readonly node: Node;
    /** The scope that `node` stands in. */
    readonly scope: Scope;
    readonly path: TargetPath;
  }
  | { readonly kind: "module"; readonly module: string; readonly path: TargetPath };

/** One declaration of a name. */
export interface Declaration {
  /** `type`: it exists for the type checker alone. */
  readonly kind: "const" | "let" | "var" | "param" | "import" | "type" | "other";
  /** Set where it stands in a pattern, or is one. */
  readonly target?: Target;
  readonly init?: Node;
  /** The scope that `init` stands in. */
  readonly scope: Scope;
  /** Of an import. */
  readonly origin?: Origin;
}

/** A declared name. */
export interface Binding {
  readonly declarations: Declaration[];
  /** From its declarations and from every assignment. */
  readonly origins: Origin[];
}

/** The names of one block, function or module. */
export class Scope {
  readonly parent: Scope | undefined;
  /** `var` declares in the nearest scope of these. */
  readonly holdsVars: boolean;
  readonly #bindings = new Map<string, Binding>();

  constructor(parent: Scope | undefined, holdsVars: boolean) {
    this.parent = parent;
    this.holdsVars = holdsVars;
  }

  own(name: string): Binding | undefined {
    return this.#bindings.get(name);
  }

  /** The binding of a name as seen from here; undefined for a name of the platform. */
  lookup(name: string): Binding | undefined {
    let binding = this.#bindings.get(name);
    for (let scope = this.parent; !binding && scope; scope = scope.parent) {
      binding = scope.#bindings.get(name);
    }
    return binding;
  }

  /** The binding of a name when the program runs: declarations for the checker do not count. */
  lookupValue(name: string): Binding | undefined {
    let binding = this.#ownValue(name);
    for (let scope = this.parent; !binding && scope; scope = scope.parent) {
      binding = scope.#ownValue(name);
    }
    return binding;
  }

  #ownValue(name: string): Binding | undefined {
    const binding = this.#bindings.get(name);
    return binding?.declarations.some(({ kind }) => kind !== "type") ? binding : undefined;
  }

  declare(name: string, declaration: Declaration): Binding {
    const binding = this.#bindings.get(name) ?? { declarations: [], origins: [] };
    this.#bindings.set(name, binding);
    binding.declarations.push(declaration);
    return binding;
  }

  /** Makes a name of the parent a name of this scope too, unless it has one of its own. */
  adopt(name: string): void {
    const binding = this.parent?.own(name);
    if (binding && !this.#bindings.has(name)) this.#bindings.set(name, binding);
  }
}
