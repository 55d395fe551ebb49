/** What validation takes and answers; all of it plain data but the policy. */

import { type Level, LEVELS, type Policy } from "#packs/policy";
import type { JsonObject } from "#sandbox";
import type { Place } from "../syntax/place.ts";

/** Levels of findings, gravest first, with their effect on the code. */
export const FINDING_LEVELS = { syntax: "refuse", ...LEVELS } as const;
export type FindingLevel = "syntax" | Level;

/** One thing that validation found; line and column are 1-based, in the text that was validated. */
export interface ValidationFinding extends Place {
  readonly level: FindingLevel;
  readonly message: string;
  /** What is called or imported: `exec`, `os.system`, `github.delete_repo`. */
  readonly name?: string;
  /** The pattern that matches it. */
  readonly pattern?: string;
  /** The module that it is in, of a program with several. */
  readonly file?: string;
  /** What a person is asked about beforehand, for the level `ask`; missing for a call whose tool or
   * arguments are known only when it is made. */
  readonly call?: ShownCall;
}

/** What the code shows whole (INTERFACE, `needs_confirmation`): a call of a tool with literal
 * arguments, or the use of a builtin or a module. */
export interface ShownCall {
  /** Set for a builtin or a module, which has no arguments here. */
  readonly kind?: "code";
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly line: number;
}

export interface Validation {
  /** Nothing forbids to run the code; it may still have to be confirmed. */
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly requiresConfirmation: boolean;
  /** In the order of the code. */
  readonly findings: readonly ValidationFinding[];
  /** Whether tools go where they cannot be followed, so that calls may be made elsewhere, too. */
  readonly open?: boolean;
}

export interface ValidateOptions {
  /** False checks the syntax alone. */
  readonly checkSecurity?: boolean;
  /** The lists; the built-in ones when not given. */
  readonly policy?: Policy;
  /** Names that packs have in the code as ambient variables: what hangs on them are tools. */
  readonly packs?: ReadonlySet<string>;
}
