/** What reading a program takes and gives. */

import type { Form, Frame, JsonObject, SandboxProgram } from "#sandbox";
import type { PolicyLists } from "#packs";
import type { CheckSource } from "../check/types.ts";
import type { CommandMap, CommandNames, MagicName } from "../command/types.ts";
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

/** What is read: a script with its modules, or a command. */
export type Source =
  | ({ readonly kind: "script" } & ProgramSource)
  | { readonly kind: "command"; readonly command: string; readonly explain?: boolean };

/** What reading needs to know of the gateway: the names in it, and the four lists. */
export interface Knowledge {
  readonly names: CommandNames;
  readonly lists: PolicyLists;
}

/** What keeps a program from being run, found by reading it; line and column are 1-based. */
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

/** A call of a tool, in the text that is checked without its prelude. */
export interface ToolCallPlace {
  /** As written: either spelling. */
  readonly pack: string;
  readonly tool: string;
  readonly from: Place;
  readonly to: Place;
}

/** A call with its arguments, as far as they can be read off the text. */
export interface NamedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What is told of a command that is only explained. */
interface Explained {
  /** Null for a command that is not one call with literal arguments. */
  readonly call?: NamedCall | null;
}

/** A program that was read, as plain data. */
export interface ProgramData extends Explained {
  readonly kind: "program";
  /** Path of the entry among the modules. */
  readonly entry: string;
  readonly modules: readonly ServedModule[];
  /** First-level names used on `tools`, or null where they cannot be known. */
  readonly servers: readonly string[] | null;
  readonly validation: Validation;
  /** In the entry. */
  readonly toolCalls: readonly ToolCallPlace[];
  /** Of a command: the way from the rewritten text, and from the checked one, to the author's. */
  readonly command?: {
    readonly map: CommandMap;
    /** Characters before the rewritten text in the checked one. */
    readonly before: number;
    readonly magic: readonly MagicName[];
    /** The rewritten code, for people. */
    readonly explained: string;
  };
}

/** A program that cannot be run. */
export interface RefusedProgram extends Explained {
  readonly kind: "finding";
  /** The first of the gravest: what is blocked, then what is no program, then what leads nowhere. */
  readonly finding: ProgramFinding;
  readonly others?: readonly ProgramFinding[];
  /** The result of the four lists, as far as the program could be parsed. */
  readonly validation?: Validation;
}

export type ReadData = ProgramData | RefusedProgram;

/** A program ready to be checked and run. */
export interface ReadyProgram extends Explained {
  readonly kind: "program";
  readonly program: SandboxProgram;
  readonly check: CheckSource;
  readonly servers: ReadonlySet<string> | null;
  /** What the four lists say of its code. */
  readonly validation: Validation;
  /** Magic variables whose values come with the program's own. */
  readonly magic: readonly MagicName[];
  /** The code as it was rewritten, for people. */
  readonly explained: string;
  /** The author's text of a module. */
  text(path: string): string | undefined;
  /** From a position in a served module to the author's. */
  locate(frame: Frame): Frame;
  /** From a position in the checked text of a module to the author's. */
  place(path: string, place: Place): Place;
  /** The innermost call of a tool around a position in the checked text. */
  toolCallAt(path: string, place: Place): ToolCallPlace | undefined;
}

export type ReadResult = ReadyProgram | RefusedProgram;

/** Reads programs beside the event loop, each within a deadline. */
export interface ProgramReader extends AsyncDisposable {
  /** What counts for every program read from now on. */
  learn(knowledge: Knowledge): void;
  /** Rejects only when `signal` fires. */
  read(source: Source, options?: { readonly signal?: AbortSignal }): Promise<ReadResult>;
}
