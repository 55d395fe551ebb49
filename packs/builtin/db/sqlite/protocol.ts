/** What the `db` pack and the process that holds an SQLite file say to each other: one JSON value a
 * line. */

/** Values of SQLite as JSON: bytes are `{"base64": "…"}`, whole numbers too large for JSON texts. */
export type Value = string | number | null | { readonly base64: string };

export interface SqliteStatement {
  readonly sql: string;
  readonly params: readonly unknown[] | { readonly [name: string]: unknown };
}

export interface SqliteRequest {
  readonly path: string;
  /** Whether no link is in the path, nor may be. */
  readonly isReal: boolean;
  /** Whether anything may be changed; without it the file is opened read-only. */
  readonly write: boolean;
  /** In one transaction where there are several. */
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
  /** Once, when the process takes requests. */
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly results: readonly SqliteRows[] }
  | { readonly kind: "refused"; readonly message: string };
