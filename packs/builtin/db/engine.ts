/** What every kind of database does for the tools of the `db` pack. */

import type { JsonObject, JsonValue } from "#sandbox";

export interface Statement {
  readonly sql: string;
  /** By position, or (SQLite) by name. */
  readonly params: readonly JsonValue[] | JsonObject;
}

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
  readonly has_more: boolean;
}

export interface Executed extends Rows {
  /** Rows that the statement changed. */
  readonly changed: number;
}

export interface TableInfo {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  /** As the database estimates; null where it does not. */
  readonly rows: number | null;
}

export interface TableName {
  readonly table: string;
  readonly schema?: string;
}

export interface EngineOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Rows to give. */
  readonly limit: number;
  /** Size of what is given, as JSON. */
  readonly maxBytes: number;
}

export interface Engine extends AsyncDisposable {
  /** One statement that the database itself keeps from changing anything. */
  query(statement: Statement, options: EngineOptions): Promise<Rows>;
  /** All of them, or none. */
  execute(statements: readonly Statement[], options: EngineOptions): Promise<Executed[]>;
  tables(options: EngineOptions): Promise<readonly TableInfo[]>;
  describe(name: TableName, options: EngineOptions): Promise<JsonObject>;
  /** How it would go about a statement, which is not run. */
  explain(statement: Statement, options: EngineOptions): Promise<string>;
}

/** Names of their own for columns that share one. */
export function uniqueNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let count = 2; seen.has(own); count++) own = `${name}_${count}`;
    seen.add(own);
    return own;
  });
}
