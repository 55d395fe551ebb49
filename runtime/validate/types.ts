/** Types of validation; all but the policy are plain data. */

import type { JsonObject } from "#base";
import { type Level, LEVELS, type Policy } from "#packs/policy";
import type { Place } from "../syntax/place.ts";

/** Levels of findings, gravest first, with their effect on the code. */
export const FINDING_LEVELS = { syntax: "refuse", ...LEVELS } as const;
export type FindingLevel = "syntax" | Level;

/** Finding of validation; the place is one of the validated text. */
export interface ValidationFinding extends Place {
  readonly level: FindingLevel;
  readonly message: string;
  /** Name of the called function or imported module: `exec`, `os.system`, `github.delete_repo`. */
  readonly name?: string;
  /** Pattern that matches the name. */
  readonly pattern?: string;
  /** Path of the module, in a program with several. */
  readonly file?: string;
  /** Call to confirm before the run, for the level `ask`; missing if its tool or arguments are
   * known only at run time. */
  readonly call?: LiteralUse;
}

/** Use that the code shows completely (docs/security.md, *What must be confirmed*): a call of a tool
 * with literal arguments, or the use of a builtin or a module. */
export interface LiteralUse {
  /** Set for a builtin or a module, which is shown without arguments. */
  readonly kind?: "code";
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly line: number;
}

export interface Validation {
  /** The code may run, possibly after confirmation. */
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly requiresConfirmation: boolean;
  /** In the order of the code. */
  readonly findings: readonly ValidationFinding[];
  /** Set if tools are passed on, so that the code can call them in other places too. */
  readonly open?: boolean;
}

export interface ValidateOptions {
  /** False checks the syntax alone. */
  readonly checkSecurity?: boolean;
  /** The lists; the built-in ones when not given. */
  readonly policy?: Policy;
  /** Names of packs that are ambient variables in the code; their members are tools. */
  readonly packs?: ReadonlySet<string>;
}
