/** What the parts of extension packs hand to one another. */

import type { JsonObject } from "#sandbox";
import type { ToolSpec } from "../types.ts";

export type Language = "typescript" | "python";

/** One thing wrong with a pack's file, with its place. */
export interface PackFinding {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly file: string;
  /** 1-based; absent when the finding is about no line. */
  readonly line?: number;
  /** The way out, in a sentence. */
  readonly fix?: string;
}

/** A file that is a pack, as it was found. */
export interface PackFile {
  readonly name: string;
  readonly language: Language;
  /** Absolute. */
  readonly file: string;
  /** The folder that the file lies in, `.onetool/tools/<pack>`. */
  readonly folder: string;
  readonly scope: "project" | "home";
}

/** How the arguments of a call reach the function: by name in one object, or one after another. */
export type ArgumentForm =
  | { readonly kind: "object" }
  | { readonly kind: "positional"; readonly names: readonly string[]; readonly rest: boolean };

/** A tool and how its function is called. */
export interface DescribedTool {
  readonly spec: ToolSpec;
  /** A Python function takes every argument by its name. */
  readonly form?: ArgumentForm;
}

/** What is known of a pack without running it. */
export interface PackDescription {
  readonly tools: readonly DescribedTool[];
  readonly findings: readonly PackFinding[];
}

/** A TypeScript module with what it imports, as text. */
export interface ModuleSource {
  /** Among `files`. */
  readonly entry: string;
  /** Relative path → text. */
  readonly files: ReadonlyMap<string, string>;
  /** The folder whose `node_modules` holds the types of its packages. */
  readonly packages?: string;
}

/** Reads tools off a module's types, with the type checker, without running it. */
export type DescribeModule = (
  source: ModuleSource,
  options: { readonly signal: AbortSignal },
) => Promise<PackDescription>;

/** What the configuration says of one pack. */
export interface PackSettings {
  readonly enabled: boolean;
  /** What the pack itself reads. */
  readonly config: JsonObject;
  readonly secrets: Readonly<Record<string, string>>;
  readonly granted: Grants;
  readonly timeoutMs: number;
  readonly idleMs: number;
}

export const PERMISSIONS = ["net", "read", "write", "env", "run", "sys", "ffi"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Everything of a kind, or these of it. */
export type Extent = true | readonly string[];
export type Grants = true | Readonly<Partial<Record<Permission, Extent>>>;
