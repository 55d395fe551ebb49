/** Types of reading a program. */

import type { JsonObject } from "#base";
import type { Form, Frame, SandboxProgram } from "#sandbox";
import type { PolicyLists } from "#packs";
import type { CheckSource } from "../check/types.ts";
import type {
  CommandMap,
  CommandNames,
  MagicName,
  SnippetAnswer,
  SnippetDefinition,
} from "../command/types.ts";
import type { Validation } from "../validate/types.ts";
import type { Place, Shift } from "../syntax/place.ts";

export interface ProgramSource {
  readonly script: string;
  /** The script's name as shown in errors. */
  readonly file: string;
  /** Modules beside the script, by path relative to the script's folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Paths beside the script that lead out of its folder or below a name that begins with a dot:
   * their import is refused. */
  readonly outside?: readonly string[];
}

/** Program to read: a script with its modules, or a command. */
export type Source =
  | ({ readonly kind: "script" } & ProgramSource)
  | { readonly kind: "command"; readonly command: string; readonly explain?: boolean };

/** Snippet to expand. */
export interface SnippetSource {
  readonly kind: "snippet";
  readonly snippet: SnippetDefinition;
  readonly values: JsonObject;
}

/** Data of the gateway that reading needs: its names, and the four lists. */
export interface Knowledge {
  readonly names: CommandNames;
  readonly lists: PolicyLists;
}

/** Reason why a program cannot run; line and column are 1-based. */
export interface ProgramFinding {
  readonly code: "syntax_error" | "type_error" | "blocked" | "bad_request" | "too_large";
  readonly message: string;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** The import that is refused or leads nowhere. */
  readonly specifier?: string;
  /** The blocked pattern that the import matches. */
  readonly pattern?: string;
  readonly details?: JsonObject;
}

export type { Form };

/** One module as served to the sandbox, with its map to the author's text. */
export interface ServedModule {
  readonly path: string;
  /** The author's text. */
  readonly text: string;
  /** Text for the checker, with the same positions. */
  readonly checked: string;
  /** Text to run: JavaScript on the author's lines. */
  readonly served: string;
  readonly shifts: readonly Shift[];
  /** It holds syntax that the engine lacks (decorators): Deno has to transpile it. */
  readonly transpile: boolean;
  readonly form: Form;
}

/** Call of a tool; places are those of the checked text without its prelude. */
export interface ToolCallPlace {
  /** Name or key, as written. */
  readonly pack: string;
  readonly tool: string;
  readonly from: Place;
  readonly to: Place;
  /** Use of the result in the code: `dropped`, `kept` in a list or a variable, or `tested`, in a
   * condition or a calculation. */
  readonly use: "dropped" | "kept" | "tested";
}

/** A call with literal arguments. */
export interface LiteralCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Explanation of a command (`run --explain`). */
interface Explained {
  /** Null for a command that is not one call with literal arguments. */
  readonly call?: LiteralCall | null;
}

/** Result of reading a program, as plain data. */
export interface ProgramData extends Explained {
  readonly kind: "program";
  /** Path of the entry among the modules. */
  readonly entry: string;
  readonly modules: readonly ServedModule[];
  /** First-level names used on `tools`; null where `tools` is passed on. */
  readonly servers: readonly string[] | null;
  readonly validation: Validation;
  /** Tool calls in the entry. */
  readonly toolCalls: readonly ToolCallPlace[];
  /** Maps from the rewritten and from the checked text of a command to the author's. */
  readonly command?: {
    readonly map: CommandMap;
    /** Characters before the rewritten text in the checked one. */
    readonly before: number;
    readonly magic: readonly MagicName[];
    /** Rewritten code, for people. */
    readonly explained: string;
  };
}

/** A program that cannot be run. */
export interface RefusedProgram extends Explained {
  readonly kind: "finding";
  /** Most severe finding: a blocked import, then a syntax error, then an import without a target. */
  readonly finding: ProgramFinding;
  readonly others?: readonly ProgramFinding[];
  /** The result of the four lists, as far as the program could be parsed. */
  readonly validation?: Validation;
}

export type ReaderAnswer = ProgramData | RefusedProgram;

/** A program ready to be checked and run. */
export interface ReadyProgram extends Explained {
  readonly kind: "program";
  readonly program: SandboxProgram;
  readonly check: CheckSource;
  readonly servers: ReadonlySet<string> | null;
  /** Findings of the four lists. */
  readonly validation: Validation;
  /** Magic variables whose values are returned with the program's value. */
  readonly magic: readonly MagicName[];
  /** Rewritten code, for people. */
  readonly explained: string;
  /** Tool calls in the entry. */
  readonly toolCalls: readonly ToolCallPlace[];
  /** The author's text of a module. */
  text(path: string): string | undefined;
  /** Maps a position in a served module to the author's. */
  locate(frame: Frame): Frame;
  /** Maps a position in the checked text of a module to the author's. */
  place(path: string, place: Place): Place;
  /** The innermost call of a tool around a position in the checked text. */
  toolCallAt(path: string, place: Place): ToolCallPlace | undefined;
}

export type ReaderResult = ReadyProgram | RefusedProgram;

/** Turn of a reading in a queue. */
export interface ReaderTurn {
  readonly signal?: AbortSignal;
  /** Key of those that take turns: the outermost run, or the client. Missing, the reading has a turn
   * of its own. */
  readonly client?: unknown;
}

/** Reader of programs, which does not block the event loop and has a deadline for each. */
export interface ProgramReader extends AsyncDisposable {
  /** Sets the knowledge for later programs. */
  learn(knowledge: Knowledge): void;
  /** Rejects when `signal` fires, and where the reader is closed or its worker fails. */
  read(source: Source, turn?: ReaderTurn): Promise<ReaderResult>;
  /** Expands a snippet with its values: the time of a template has no bound. Rejects as `read` does. */
  expand(
    snippet: SnippetDefinition,
    values: JsonObject,
    turn?: ReaderTurn,
  ): Promise<SnippetAnswer>;
}
