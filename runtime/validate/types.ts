/** What validation takes and answers; all of it plain data but the policy. */

import type { Policy } from "#packs";
import type { JsonObject } from "#sandbox";

export type FindingLevel = "syntax" | "blocked" | "ask" | "warned";

/** One thing that validation found; line and column are 1-based, in the text that was validated. */
export interface ValidationFinding {
  readonly level: FindingLevel;
  readonly message: string;
  /** What is called or imported: `exec`, `os.system`, `github.delete_repo`. */
  readonly name?: string;
  /** The pattern that matches it. */
  readonly pattern?: string;
  /** The module that it is in, of a program with several. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  /** What a person is asked about, for the level `ask`. */
  readonly call?: ShownCall;
}

/** A call as it can be seen in the code (INTERFACE, `needs_confirmation`). */
export interface ShownCall {
  readonly tool: string;
  /** An object where they are literal, else the text as written. */
  readonly arguments: JsonObject | string;
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
}

export interface ValidateOptions {
  /** False checks the syntax alone. */
  readonly checkSecurity?: boolean;
  /** The lists; the built-in ones when not given. */
  readonly policy?: Policy;
  /** Names that packs have in the code as ambient variables: what hangs on them are tools. */
  readonly packs?: ReadonlySet<string>;
}
