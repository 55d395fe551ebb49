/** Messages between the `db` pack and the process for an SQLite file: one JSON value per line. */

import type { CheckedFile } from "../../kit/checked_file.ts";

/** Values of SQLite as JSON: bytes are `{"base64": "…"}`, integers too large for JSON are texts. */
export type Value = string | number | null | { readonly base64: string };

export interface SqliteStatement {
  readonly sql: string;
  readonly params: readonly unknown[] | { readonly [name: string]: unknown };
}

export interface SqliteRequest {
  readonly path: string;
  /** True if the path has no links and may get none. */
  readonly isReal: boolean;
  /** The file that was checked; undefined where none was there yet. */
  readonly file?: CheckedFile;
  /** True to open the file for writing. */
  readonly write: boolean;
  /** Several run in one transaction. */
  readonly statements: readonly SqliteStatement[];
  readonly limit: number;
  readonly maxBytes: number;
  readonly busyMs: number;
}

export interface SqliteRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  readonly has_more: boolean;
  readonly changed: number;
}

export type SqliteAnswer =
  /** Sent once, when the process takes requests. */
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly results: readonly SqliteRows[] }
  | { readonly kind: "refused"; readonly message: string };
