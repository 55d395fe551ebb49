/** Types of reading a command. */

import type { JsonObject, JsonValue } from "#base";
import type { ParsedModule } from "../syntax/parse.ts";
import type { Place, Shift } from "../syntax/place.ts";

/** Key in the schema of a tool's first parameter: all positional arguments are a list for it. */
export const GATHERS = "x-gathers";

export interface CommandTool {
  readonly name: string;
  readonly key: string;
  /** Name in snake_case, if the tool has that name too. */
  readonly snake?: string | undefined;
  /** Parameter names in signature order. */
  readonly params: readonly string[];
  /** True where several positional arguments are a list for the first parameter. */
  readonly gathers?: boolean;
  /** Set where it is known to change nothing. */
  readonly reads?: boolean;
}

export interface CommandPack {
  readonly name: string;
  readonly key: string;
  /** Name in snake_case, if the pack has that name too. */
  readonly snake?: string | undefined;
  /** Empty until they are loaded; no tool is reported as missing then. */
  readonly tools: readonly CommandTool[];
  /** Reason why it has no tools, and the way out. */
  readonly problem?: string;
}

export interface SnippetParam {
  readonly description?: string;
  /** Without a default, the parameter is required. */
  readonly default?: JsonValue;
  readonly type?: "string" | "number" | "integer" | "boolean" | "array" | "object";
}

export interface SnippetDefinition {
  readonly description?: string;
  readonly params: Readonly<Record<string, SnippetParam>>;
  /** A nunjucks template of a command. */
  readonly body: string;
}

/** Command that a snippet stands for, or the reason why it cannot be expanded. */
export type SnippetAnswer =
  | { readonly kind: "expanded"; readonly command: string }
  | { readonly kind: "failed"; readonly message: string };

/** Names that a command may use without declaring them, beside those of the platform. */
export interface CommandNames {
  readonly packs: readonly CommandPack[];
  /** Tool or alias by name: `ws` → `brave.web_search`. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly snippets: Readonly<Record<string, SnippetDefinition>>;
  /** Names of the configured projects. */
  readonly projects: readonly string[];
}

/** Reason why a command cannot run; the place is one of the text as sent. */
export interface CommandFinding extends Place {
  readonly kind: "finding";
  readonly code: "syntax_error" | "type_error" | "too_large";
  readonly message: string;
  readonly details?: JsonObject;
}

/** Declarations before the rewritten command, on its first line. */
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

/** A variable that controls the reply. */
export type MagicName = "__format__" | "__sanitize__";

/** A command as TypeScript, with a map to the author's text. */
export interface CommandSource {
  readonly kind: "source";
  /** The rewritten command on the author's lines, parsed, without the prelude. */
  readonly module: ParsedModule;
  readonly prelude: Prelude;
  readonly map: CommandMap;
  /** The magic variables that it names. */
  readonly magic: readonly MagicName[];
  /** Packs that are used by ambient names; null where `tools` is passed on. */
  readonly servers: readonly string[] | null;
  /** A pack or tool that does not exist; findings of the validator go first. */
  readonly unknown: CommandFinding | null;
}
