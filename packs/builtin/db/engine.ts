/** Interface of the databases, with the errors that they share. */

import type { JsonObject, JsonValue } from "#base";
import type { CheckedFile } from "../kit/checked_file.ts";
import { PackError } from "../../errors.ts";

export interface Statement {
  readonly sql: string;
  /** Values by position; for SQLite also by name. */
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
  /** Estimate of the database, or null. */
  readonly rows: number | null;
}

export interface TableName {
  readonly table: string;
  readonly schema?: string;
}

export interface EngineOptions {
  readonly signal: AbortSignal;
  /** Id of the run that the work is for. */
  readonly run: string | undefined;
  /** True where nothing may change, although the connection lets statements change it. */
  readonly isLook?: boolean;
  /** SQLite: the file that was checked; undefined where none was there yet. */
  readonly file?: CheckedFile;
  readonly timeoutMs: number;
  /** Maximum number of rows. */
  readonly limit: number;
  /** Maximum size of the rows as JSON. */
  readonly maxBytes: number;
}

export interface Engine extends AsyncDisposable {
  /** Runs one statement. The database itself prevents changes. */
  query(statement: Statement, options: EngineOptions): Promise<Rows>;
  /** Runs all statements, or none. */
  execute(statements: readonly Statement[], options: EngineOptions): Promise<Executed[]>;
  tables(options: EngineOptions): Promise<readonly TableInfo[]>;
  describe(name: TableName, options: EngineOptions): Promise<JsonObject>;
  /** Query plan of a statement, which is not run. */
  explain(statement: Statement, options: EngineOptions): Promise<string>;
}

export function readOnly(): PackError {
  return new PackError("blocked", "Cannot change this database: it is read-only");
}

export function noTable(name: string): PackError {
  return new PackError("tool_error", `Cannot find the table "${name}": db.tables lists them`);
}

/** `waits` says what the statement may have waited for. */
export function tooSlow(timeoutMs: number, waits = ""): PackError {
  return new PackError(
    "timeout",
    `Cannot finish the statement: it took longer than ${timeoutMs / 1_000} s${waits}: ` +
      "select less, or look at db.explain for a missing index",
  );
}

export function tooLarge(subject: string): PackError {
  const message = `Cannot take ${subject}: it is larger than max_result_mb: select less of it`;
  return new PackError("too_large", message);
}
