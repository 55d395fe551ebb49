/** Nodes of a command with their surroundings. */

import { isWrapper } from "../../syntax/expression.ts";
import type { Node } from "../../syntax/parse.ts";
import type { Scope } from "../../syntax/scope.ts";

/** A node with the nodes above it. */
export interface Path {
  readonly node: Node;
  readonly parent: Path | undefined;
  readonly scope: Scope;
  /** `await` may stand here. */
  readonly awaits: boolean;
  /** Outside all functions. */
  readonly top: boolean;
}

/** An assignment to a name. */
export interface Write {
  readonly name: string;
  readonly path: Path;
  /** Set for `=`, not for `+=` and similar operators. */
  readonly plain: boolean;
}

/** Path of the outermost wrapper around a node: parentheses, `!`, `as`, `satisfies`. */
export function unwrapped(path: Path): Path {
  let outer = path;
  while (outer.parent && isWrapper(outer.parent.node)) outer = outer.parent;
  return outer;
}
