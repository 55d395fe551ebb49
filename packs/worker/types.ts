/** Types that the parts of extension packs share. */

import type { JsonObject } from "#base";
import type { ToolSpec } from "../types.ts";

export type Language = "typescript" | "python";

/** A problem of a pack's file, with its place. */
export interface PackFinding {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly file: string;
  /** 1-based; missing for a finding about the whole file. */
  readonly line?: number;
  /** The way out, in a sentence. */
  readonly fix?: string;
}

/** A discovered file of a pack. */
export interface PackFile {
  readonly name: string;
  readonly language: Language;
  /** Absolute. */
  readonly file: string;
  /** The folder that the file lies in, `.onetool/tools/<pack>`. */
  readonly folder: string;
  readonly scope: "project" | "home";
}

/** Form of the arguments of the function: one object by name, or positional. */
export type ArgumentForm =
  | { readonly kind: "object" }
  | { readonly kind: "positional"; readonly names: readonly string[]; readonly rest: boolean };

/** A tool and the form of its arguments. */
export interface DescribedTool {
  readonly spec: ToolSpec;
  /** Missing for a Python function, which takes every argument by name. */
  readonly form?: ArgumentForm;
}

/** Description of a pack, read without running it. */
export interface PackDescription {
  readonly tools: readonly DescribedTool[];
  readonly findings: readonly PackFinding[];
}

/** Text of a TypeScript module and its imports. */
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

/** Settings of one pack. */
export interface PackSettings {
  readonly enabled: boolean;
  /** Configuration that the pack itself reads. */
  readonly config: JsonObject;
  readonly secrets: Readonly<Record<string, string>>;
  readonly granted: Grants;
  readonly timeoutMs: number;
  readonly idleMs: number;
}

export const PERMISSIONS = ["net", "read", "write", "env", "run", "sys", "ffi"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Extent of a permission: everything, or the listed items. */
export type Extent = true | readonly string[];
export type Grants = true | Readonly<Partial<Record<Permission, Extent>>>;

/** Returns true for a list of texts. */
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
