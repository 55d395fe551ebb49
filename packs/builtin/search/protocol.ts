/** Requests to a search worker, and its results. */

import type { ReadRules } from "../../closed/read_rules.ts";

/** Part of the file system to search. Paths are absolute and real. */
export interface Where {
  readonly root: string;
  /** Folder that paths in results are relative to. */
  readonly base: string;
  readonly globs: readonly string[];
  /** True to include names that begin with a dot. */
  readonly hidden: boolean;
  /** True to apply ignore files. */
  readonly ignore: boolean;
  /** Paths to skip. */
  readonly closed: ReadRules;
}

export interface NamesRequest extends Where {
  readonly of: "file" | "folder" | "any";
  /** 1 for the entries of the folder itself. */
  readonly depth: number;
  readonly limit: number;
}

/** A regular expression of JavaScript. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly multiline: boolean;
  /** True with lookaround, which may see beyond its line. */
  readonly looksAround: boolean;
}

export interface ContentRequest extends Where {
  readonly pattern: Pattern;
  readonly want: "matches" | "files" | "counts";
  readonly context: number;
  readonly limit: number;
  readonly maxFileBytes: number;
}

export type Kind = "file" | "folder" | "link" | "other";

export interface NameMatches {
  readonly entries: readonly { readonly path: string; readonly kind: Kind }[];
  readonly more: boolean;
}

export interface Match {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in characters. */
  readonly column: number;
  /** The line; a long one is shortened around the match. */
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface FileCount {
  readonly path: string;
  readonly count: number;
}

export interface ContentMatches {
  readonly matches: readonly Match[];
  readonly counts: readonly FileCount[];
  readonly more: boolean;
}
