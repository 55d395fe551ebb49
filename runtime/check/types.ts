/** Requests and results of the type checker. */

/** One problem, in the text that was checked; lines and columns are 1-based. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
  /** The compiler's number, `2339`. */
  readonly code: number;
  readonly message: string;
}

export interface CheckSource {
  /** The entry's path among `files`. */
  readonly entry: string;
  /** Every module of the program by relative path, as TypeScript. */
  readonly files: ReadonlyMap<string, string>;
}

export type CheckResult =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly diagnostics: readonly Diagnostic[] }
  /** The checker ran out of time or memory, or died: nothing is known. */
  | { readonly kind: "unchecked"; readonly reason: string };

export interface CheckOptions {
  readonly signal?: AbortSignal;
  /** Key of a client: clients take turns where checks wait. */
  readonly client?: unknown;
  /** Declarations in place of the current ones. */
  readonly declared?: ReadonlyMap<string, string>;
}

/** A resident checker. It sees the program, the declared types and Deno's own, nothing else. */
export interface Checker extends AsyncDisposable {
  /** The compiler's version, `7.0.2`. */
  readonly version: string;
  /** Replaces the declarations: path below `/runtime/` → text (`tools.ts` is what `toolscript`
   * resolves to). Only files whose text changed are read again. */
  declare(files: ReadonlyMap<string, string>): Promise<void>;
  /** Returns true if this exact program has passed under the current declarations. */
  hasPassed(source: CheckSource): boolean;
  check(source: CheckSource, options?: CheckOptions): Promise<CheckResult>;
  /** Counts a program as passed under the current declarations. */
  accept(source: CheckSource): void;
}
