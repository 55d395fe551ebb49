/** What a search worker is asked, and what it answers. */

import type { ReadRules } from "../../closed/reading.ts";

/** Where to look. Paths are absolute and real. */
export interface Where {
  readonly root: string;
  /** What results are shown relative to. */
  readonly base: string;
  readonly globs: readonly string[];
  /** Whether names that begin with a dot are looked at. */
  readonly hidden: boolean;
  /** Whether ignore files are heeded. */
  readonly ignore: boolean;
  /** What is passed over. */
  readonly closed: ReadRules;
}

export interface NamesRequest extends Where {
  readonly of: "file" | "folder" | "any";
  /** 1 is the folder's own entries. */
  readonly depth: number;
  readonly limit: number;
}

/** A regular expression in JavaScript's terms. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly multiline: boolean;
  /** Whether it looks around and so may see beyond its line. */
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

export interface NamesFound {
  readonly entries: readonly { readonly path: string; readonly kind: Kind }[];
  readonly more: boolean;
}

export interface Match {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in characters. */
  readonly column: number;
  /** The line, shortened around the match where it is very long. */
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface FileCount {
  readonly path: string;
  readonly count: number;
}

export interface ContentFound {
  readonly matches: readonly Match[];
  readonly counts: readonly FileCount[];
  readonly more: boolean;
}
