/** Which rows a query counts, and small helpers for rows. */

/** Scope of a query: rows since a time, of one tool or of all. */
export interface Scope {
  readonly from: number;
  readonly until: number;
  /** For SQL: null where all tools count. */
  readonly pack: string | null;
  readonly tool: string | null;
}

/** Which rows of `calls` a scope holds; its parameters are those of `Scope`. */
export const CALLS_IN_SCOPE = "at >= :from AND (:pack IS NULL OR (pack = :pack AND tool = :tool))";

/** Runs in a scope: with a tool, those that called it. */
export const RUNS_IN_SCOPE = `at >= :from AND (:pack IS NULL OR run IN
  (SELECT run FROM calls WHERE at >= :from AND pack = :pack AND tool = :tool))`;

/** `github.create_issue`. */
export function nameOf(pack: string, tool: string): string {
  return tool === "" ? pack : `${pack}.${tool}`;
}

/** Converts a number of SQLite; null counts as 0. */
export function number(value: unknown): number {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : 0;
}
