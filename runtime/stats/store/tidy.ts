/** Removes rows of the statistics that are too old or too many. */

import type { DatabaseSync } from "node:sqlite";
import { perform } from "./schema.ts";

/** About 60 MB. */
const MAX_CALLS = 500_000;
const MAX_RUNS = 250_000;
const MAX_AUDIT = 100_000;
const MAX_TOOLSETS = 500;
/** Kinds of rows, each with its own limit: a program that is refused again and again removes no answer
 * of a person. */
const KINDS = [
  ["calls", MAX_CALLS, "TRUE"],
  ["runs", MAX_RUNS, "TRUE"],
  ["audit", MAX_AUDIT, "kind = 'refusal'"],
  ["audit", MAX_AUDIT, "kind <> 'refusal'"],
] as const;
/** Rows removed in one go: other processes write between. */
const PORTION = 5_000;

/** Removes rows and moves the log into the file. */
export function tidy(
  database: DatabaseSync,
  { now, keepMs }: { readonly now: number; readonly keepMs: number },
): void {
  for (const [table, most, kind] of KINDS) {
    removeWhile(database, { table, condition: "at < ?", edge: now - keepMs });
    const newest = `SELECT id FROM ${table} WHERE ${kind} ORDER BY id DESC LIMIT 1 OFFSET ?`;
    const oldest = edge(database, newest, most);
    removeWhile(database, { table, condition: `id <= ? AND ${kind}`, edge: oldest });
  }
  perform(
    database,
    "DELETE FROM toolsets WHERE id NOT IN (SELECT toolset FROM runs WHERE toolset NOT NULL)",
  );
  const lastSet = edge(
    database,
    "SELECT rowid AS id FROM toolsets ORDER BY rowid DESC LIMIT 1 OFFSET ?",
    MAX_TOOLSETS,
  );
  database.prepare("DELETE FROM toolsets WHERE rowid <= ?").run(lastSet);
  perform(
    database,
    "DELETE FROM densities WHERE kind LIKE 'tools:%' AND kind NOT IN (SELECT id FROM toolsets)",
  );
  perform(database, "PRAGMA wal_checkpoint(TRUNCATE)");
}

function edge(database: DatabaseSync, sql: string, most: number): number {
  return Number(database.prepare(sql).get(most)?.id ?? 0);
}

function removeWhile(
  database: DatabaseSync,
  { table, condition, edge }: {
    readonly table: string;
    readonly condition: string;
    readonly edge: number;
  },
): void {
  const portion = `SELECT id FROM ${table} WHERE ${condition} LIMIT ?`;
  const remove = database.prepare(`DELETE FROM ${table} WHERE id IN (${portion})`);
  while (remove.run(edge, PORTION).changes === PORTION);
}
