/** State that the parts of the dialect share while they rewrite one command. */

import type { Edits } from "../../syntax/edits.ts";
import { freeName } from "../../syntax/free_name.ts";
import type { Node } from "../../syntax/parse.ts";
import type { Target } from "../names.ts";
import type { Meanings } from "./meaning.ts";
import type { Path } from "./path.ts";
import type { Survey } from "./survey.ts";

/** A call with its target, if that is a tool, pack or snippet. */
export interface Call {
  readonly path: Path;
  readonly target: Target | undefined;
}

export interface Rewriting {
  readonly text: string;
  readonly edits: Edits;
  readonly survey: Survey;
  readonly meanings: Meanings;
  readonly calls: readonly Call[];
  /** Targets of those calls that have one. */
  readonly targets: ReadonlyMap<Node, Target>;
  readonly needs: Needs;
}

/** Function of `toolscript` for lists whose callbacks wait. */
export type ListFunction = "inTurn" | "together";

/** Declarations that the rewritten text needs in the prelude. */
export interface Needs {
  /** Needs the function that names a single argument unless it is an object. */
  needsNaming: boolean;
  /** Name of that function. */
  readonly namingFunction: string;
  /** Variables declared before everything else, untyped. */
  readonly variables: Set<string>;
  /** Keys of packs in the rewritten text. */
  readonly packs: Set<string>;
  /** Needs `tools`. */
  tools: boolean;
  /** Name of `tools` in the rewritten text. */
  readonly toolsAs: string;
  /** Functions that the rewritten text needs for callbacks that wait. */
  readonly lists: Set<ListFunction>;
  /** Their names in the rewritten text. */
  readonly listsAs: Readonly<Record<ListFunction, string>>;
}

/** Empty needs, with names that do not occur in the text. */
export function noNeeds(text: string): Needs {
  return {
    needsNaming: false,
    namingFunction: freeName("$named", text),
    variables: new Set(),
    packs: new Set(),
    tools: false,
    toolsAs: freeName("$tools", text),
    lists: new Set(),
    listsAs: { inTurn: freeName("$inTurn", text), together: freeName("$together", text) },
  };
}

/** A property key for any name; `__proto__` is a key like any other. */
export function keyText(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return isIdentifier(name) ? name : quote(name);
}

/** A string literal without a line break of any kind. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
  );
}

export function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
}
