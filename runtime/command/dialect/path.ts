/** Nodes of a command with what is around them. */

import { isWrapper } from "../../syntax/expression.ts";
import type { Node } from "../../syntax/parse.ts";
import type { Scope } from "../../syntax/scope.ts";

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

/** The path above wrappers that change no value: parentheses, `!`, `as`, `satisfies`. */
export function unwrapped(path: Path): Path {
  let outer = path;
  while (outer.parent && isWrapper(outer.parent.node)) outer = outer.parent;
  return outer;
}
