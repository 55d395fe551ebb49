/** What reading a program takes and gives. */

import type { Form, Frame, SandboxProgram } from "#sandbox";
import type { CheckSource } from "../check/types.ts";

export interface ProgramSource {
  readonly script: string;
  /** The script's name as shown in errors. */
  readonly file: string;
  /** Modules beside the script, by path relative to the script's folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** What keeps a program from being run, found by reading it; line and column are 1-based. */
export interface ProgramFinding {
  readonly code: "syntax_error" | "type_error" | "blocked" | "bad_request";
  readonly message: string;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** The import that is refused or leads nowhere. */
  readonly specifier?: string;
}

/** Text put into one line of a served module: `length` characters before the author's `column`. */
export interface Shift {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

export type { Form };

/** One module, as the sandbox gets it and with the way back to the author's text. */
export interface ServedModule {
  readonly path: string;
  /** The author's text. */
  readonly text: string;
  /** The text to check, which differs in no position. */
  readonly checked: string;
  /** The text to run: JavaScript on the author's own lines. */
  readonly served: string;
  readonly shifts: readonly Shift[];
  /** It holds syntax that the engine lacks (decorators): Deno has to transpile it. */
  readonly transpile: boolean;
  readonly form: Form;
}

/** A program that was read, as plain data. */
export interface ProgramData {
  readonly kind: "program";
  /** Path of the entry among the modules. */
  readonly entry: string;
  readonly modules: readonly ServedModule[];
  /** First-level names used on `tools`, or null where they cannot be known. */
  readonly servers: readonly string[] | null;
}

export type ReadData = ProgramData | {
  readonly kind: "finding";
  readonly finding: ProgramFinding;
};

/** A program ready to be checked and run. */
export interface ReadyProgram {
  readonly kind: "program";
  readonly program: SandboxProgram;
  readonly check: CheckSource;
  readonly servers: ReadonlySet<string> | null;
  /** The author's text of a module. */
  text(path: string): string | undefined;
  /** From a position in a served module to the author's. */
  locate(frame: Frame): Frame;
}

export type ReadResult = ReadyProgram | {
  readonly kind: "finding";
  readonly finding: ProgramFinding;
};

/** Reads programs beside the event loop, each within a deadline. */
export interface ProgramReader extends AsyncDisposable {
  /** Rejects when `signal` fires, or when the reader itself fails. */
  read(source: ProgramSource, options?: { readonly signal?: AbortSignal }): Promise<ReadResult>;
}
