/** What the parts of the dialect share while they rewrite one command. */

import type { Edits } from "../../syntax/edits.ts";
import type { Target } from "../names.ts";
import type { Meanings } from "./meaning.ts";
import type { Path } from "./path.ts";
import type { Survey } from "./survey.ts";

/** A call with what it calls, where that is known. */
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
  readonly needs: Needs;
}

/** What the prelude must give, as the rewriting goes on. */
export interface Needs {
  /** The function that names a single argument unless it is an object. */
  named: boolean;
  /** Its name. */
  readonly namedAs: string;
  /** Variables declared before everything else, untyped. */
  readonly variables: Set<string>;
  /** Packs that rewritten text names by their key. */
  readonly packs: Set<string>;
  /** Rewritten text names `tools`. */
  tools: boolean;
  /** Its name there. */
  readonly toolsAs: string;
}

/** Nothing needed yet; the names given are in no part of the text. */
export function noNeeds(text: string): Needs {
  return {
    named: false,
    namedAs: freeName("$named", text),
    variables: new Set(),
    packs: new Set(),
    tools: false,
    toolsAs: freeName("$tools", text),
  };
}

function freeName(name: string, text: string): string {
  let free = name;
  while (text.includes(free)) free += "_";
  return free;
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
