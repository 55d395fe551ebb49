/** The configuration that is used: read, merged and checked. */

import type { JsonObject, JsonValue, LogLevel } from "#base";
import type { CallRule, ClosedSources, DeclaredEffects, ServerConfig } from "#packs";
import type { CheckedConfig } from "./schema.ts";
import type { Trust } from "./trust/trust.ts";

export type LogThreshold = LogLevel | "off";

/** One thing wrong with a configuration file, with its place. */
export interface ConfigFinding {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly file: string;
  /** 1-based; absent when the finding is about no line. */
  readonly line?: number;
  readonly column?: number;
  /** The way out, in a sentence. */
  readonly fix?: string;
}

/** A command with parameters. */
export interface SnippetConfig {
  readonly description: string;
  readonly params: Readonly<Record<string, SnippetParamConfig>>;
  /** A nunjucks template. */
  readonly body: string;
}

export interface SnippetParamConfig {
  readonly description?: string;
  /** Without one, the parameter must be given. */
  readonly default?: JsonValue;
  readonly type?: "string" | "number" | "integer" | "boolean" | "array" | "object";
}

export interface ProjectConfig {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly attrs: JsonObject;
}

export interface Config extends
  Pick<
    CheckedConfig,
    | "direct"
    | "alias"
    | "prompts"
    | "docs"
    | "security"
    | "mcp"
    | "sandbox"
    | "gateway"
    | "packs"
    | "types"
    | "workers"
  > {
  /** The folder that relative paths and `.onetool/` belong to, absolute. */
  readonly project: string;
  /** The file it came from, absolute; null without one. */
  readonly file: string | null;
  readonly servers: readonly ServerConfig[];
  /** Rules about calls, compiled. */
  readonly rules: readonly CallRule[];
  /** Effects of tools that servers and packs declare. */
  readonly effects: DeclaredEffects;
  readonly snippets: Readonly<Record<string, SnippetConfig>>;
  readonly projects: readonly ProjectConfig[];
  /** `folder` holds large results: `<project>/.onetool/tmp`. */
  readonly output: CheckedConfig["output"] & { readonly folder: string };
  /** `folder` holds the statistics: `~/.onetool/stats/<hash of the project's real path>`. */
  readonly stats: CheckedConfig["stats"] & { readonly folder: string };
  readonly notify: {
    readonly topics: readonly {
      /** A glob of topics. */
      readonly pattern: string;
      /** Absolute. */
      readonly file: string;
    }[];
    /** Folders that the files must lie in: the project, and `~/.onetool`. */
    readonly folders: readonly string[];
  };
  readonly logging: Omit<CheckedConfig["logging"], "file"> & {
    /** In files. */
    readonly level: LogThreshold;
    /** On stderr of a gateway. */
    readonly stderrLevel: LogThreshold;
    /** Written beside stderr; absolute. */
    readonly file: string | null;
  };
  /** Values that no log may show. */
  readonly secrets: readonly string[];
  /** Where caches are kept: `~/.onetool/cache/<hash of the project's real path>`. */
  readonly cacheDir: string;
  /** Hash over the environment variables that the configuration reads, with their values. */
  readonly variables: string;
  /** True where values of the keychain, 1Password and programs are missing. */
  readonly isPartial: boolean;
  /** True where folders above the configuration and the packs must be closed to others too. */
  readonly checksAbove: boolean;
  /** Trust in the project. */
  readonly trust: Trust;
  /** Paths that programs may not change, or not read. */
  readonly closed: ClosedSources;
  readonly warnings: readonly ConfigFinding[];
}
