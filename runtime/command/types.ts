/** What reading a command takes and gives. */

import type { JsonObject, JsonValue } from "#sandbox";
import type { ParsedModule } from "../syntax/parse.ts";
import type { Place, Shift } from "../syntax/place.ts";

export interface CommandTool {
  readonly name: string;
  readonly key: string;
  /** The name in snake_case, where the tool goes by that too. */
  readonly snake?: string | undefined;
  /** Parameter names in signature order. */
  readonly params: readonly string[];
}

export interface CommandPack {
  readonly name: string;
  readonly key: string;
  /** The name in snake_case, where the pack goes by that too. */
  readonly snake?: string | undefined;
  /** Empty where they are not known yet: nothing is said of a name then. */
  readonly tools: readonly CommandTool[];
  /** Why it has no tools, and the way out. */
  readonly problem?: string;
}

export interface SnippetParam {
  readonly description?: string;
  /** Without one, the parameter must be given. */
  readonly default?: JsonValue;
  readonly type?: "string" | "number" | "integer" | "boolean" | "array" | "object";
}

export interface SnippetDefinition {
  readonly description?: string;
  readonly params: Readonly<Record<string, SnippetParam>>;
  /** A nunjucks template of a command. */
  readonly body: string;
}

/** Every name that a command may use beside its own and the language's. */
export interface CommandNames {
  readonly packs: readonly CommandPack[];
  /** `ws` → `brave.web_search`, or → another alias. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly snippets: Readonly<Record<string, SnippetDefinition>>;
  /** Names of the configured projects. */
  readonly projects: readonly string[];
}

/** What keeps a command from being run; line and column are 1-based, of the text as sent. */
export interface CommandFinding extends Place {
  readonly kind: "finding";
  readonly code: "syntax_error" | "type_error" | "too_large";
  readonly message: string;
  readonly details?: JsonObject;
}

/** What stands before the rewritten command, on its first line. */
export interface Prelude {
  /** Import statements. */
  readonly imports: string;
  /** TypeScript, for the checker. */
  readonly checked: string;
  /** JavaScript for the beginning of the entry function. */
  readonly local: string;
}

/** From places in the rewritten command to the author's. */
export interface CommandMap {
  readonly shifts: readonly Shift[];
  /** For an expanded snippet: the author's place for each line of the expanded text. */
  readonly lines: readonly Place[] | null;
}

/** A variable that says how the reply is wanted. */
export type MagicName = "__format__" | "__sanitize__";

/** A command as a program: TypeScript, with the way back to the author's text. */
export interface CommandSource {
  readonly kind: "source";
  /** The command rewritten, on the author's own lines, without the prelude; parsed. */
  readonly module: ParsedModule;
  readonly prelude: Prelude;
  readonly map: CommandMap;
  /** The magic variables that it names. */
  readonly magic: readonly MagicName[];
  /** Packs reached by ambient names, or null where `tools` goes where it cannot be followed. */
  readonly servers: readonly string[] | null;
  /** A pack or tool that does not exist; the validator speaks first. */
  readonly unknown: CommandFinding | null;
}
