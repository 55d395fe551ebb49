/** What the config says of the `db` pack. */

/** `packs.db` */
export interface DbSettings {
  readonly enabled: boolean;
  readonly connections: readonly DbConnection[];
  /** What one statement may take. */
  readonly timeoutMs: number;
  /** Rows that one call may give. */
  readonly maxRows: number;
  readonly maxResultBytes: number;
}

/** A database of the config. */
export interface DbConnection {
  readonly name: string;
  /** Whether `db.execute` may change it. */
  readonly write: boolean;
  /** Whether a PostgreSQL superuser is taken where only reading is allowed. */
  readonly superuser: boolean;
  readonly target:
    | { readonly kind: "sqlite"; readonly path: string }
    | { readonly kind: "postgres"; readonly url: string }
    /** A URL of another kind, or none. */
    | { readonly kind: "unknown" };
}
