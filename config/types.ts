/** The configuration after it was read, merged and checked, each default filled in. */

import type { BuiltinSettings, ClosedSources, ServerConfig } from "#packs";
import type { JsonObject, JsonValue, LogLevel } from "#sandbox";
import type { Trust } from "./trust.ts";

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

export interface Config {
  /** The folder that relative paths and `.onetool/` belong to, absolute. */
  readonly project: string;
  /** The file it came from, absolute; null when there is none. */
  readonly file: string | null;
  readonly servers: readonly ServerConfig[];
  /** Servers, or `server.tool`, offered to MCP clients beside `run`. */
  readonly direct: readonly string[];
  /** Short names for tools, or for other aliases. */
  readonly alias: Readonly<Record<string, string>>;
  readonly snippets: Readonly<Record<string, SnippetConfig>>;
  readonly projects: readonly ProjectConfig[];
  readonly prompts: {
    /** Added to the MCP instructions. */
    readonly instructions: string;
    readonly packs: Readonly<Record<string, string>>;
  };
  /** Where help says that the documentation is. */
  readonly docs: {
    readonly baseUrl: string;
    /** Pages of another name, or elsewhere, by pack. */
    readonly packs: Readonly<Record<string, string>>;
  };
  readonly security: {
    readonly enabled: boolean;
    readonly blocked: readonly string[];
    readonly ask: readonly string[];
    readonly warned: readonly string[];
    readonly allow: readonly string[];
    readonly sanitize: "off" | "external";
    /** How long a question waits for its answer. */
    readonly askTimeoutMs: number;
  };
  readonly output: {
    readonly maxInlineBytes: number;
    readonly previewLines: number;
    readonly resultTtlMs: number;
    /** Where large results are kept: `<project>/.onetool/tmp`. */
    readonly folder: string;
  };
  readonly sandbox: {
    readonly timeoutMs: number;
    readonly cpuSeconds: number;
    readonly memoryMb: number;
    readonly outputBytes: number;
    readonly calls: number;
    readonly inFlight: number;
    readonly callBytes: number;
    readonly concurrent: number;
    readonly queue: number;
    readonly pool: number;
    /** Whether a run that could not be checked is refused (`strict`) or goes on with a warning. */
    readonly check: "warn" | "strict";
  };
  readonly gateway: {
    readonly host: string;
    readonly port: number;
    readonly maxBodyBytes: number;
    readonly graceMs: number;
  };
  readonly packs: BuiltinSettings & {
    /** Settings of packs that do not come with Toolscript, by name, as they were written. */
    readonly extensions: Readonly<Record<string, JsonObject>>;
  };
  readonly workers: { readonly idleTimeoutMs: number };
  readonly stats: {
    readonly enabled: boolean;
    readonly keepMs: number;
    /** Where they are kept: `<project>/.onetool/stats`. */
    readonly folder: string;
  };
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
  readonly logging: {
    /** In files. */
    readonly level: LogThreshold;
    /** On stderr of a gateway. */
    readonly stderrLevel: LogThreshold;
    /** Written beside stderr; absolute. */
    readonly file: string | null;
    readonly format: "auto" | "json" | "text";
    readonly maxBytes: number;
    readonly files: number;
  };
  /** Values that no log may show. */
  readonly secrets: readonly string[];
  /** Where caches are kept: `~/.onetool/cache/<hash of the project's real path>`. */
  readonly cacheDir: string;
  /** What of the project may be started. */
  readonly trust: Trust;
  /** What programs may not change, or not read. */
  readonly closed: ClosedSources;
  readonly warnings: readonly ConfigFinding[];
}
