/** Removes rows of the statistics that are too old or too many. */

import type { DatabaseSync } from "node:sqlite";
import { perform } from "./schema.ts";

/** About 60 MB. */
const MAX_CALLS = 500_000;
const MAX_RUNS = 250_000;
const MAX_TOOLSETS = 500;
/** Rows removed in one go: other processes write between. */
const PORTION = 5_000;

/** Removes rows and moves the log into the file. */
export function tidy(
  database: DatabaseSync,
  { now, keepMs }: { readonly now: number; readonly keepMs: number },
): void {
  const old = now - keepMs;
  removeWhile(
    database,
    "DELETE FROM calls WHERE id IN (SELECT id FROM calls WHERE at < ? LIMIT ?)",
    old,
  );
  removeWhile(
    database,
    "DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE at < ? LIMIT ?)",
    old,
  );
  const lastCall = edge(
    database,
    "SELECT id FROM calls ORDER BY id DESC LIMIT 1 OFFSET ?",
    MAX_CALLS,
  );
  const lastRun = edge(database, "SELECT id FROM runs ORDER BY id DESC LIMIT 1 OFFSET ?", MAX_RUNS);
  removeWhile(
    database,
    "DELETE FROM calls WHERE id IN (SELECT id FROM calls WHERE id <= ? LIMIT ?)",
    lastCall,
  );
  removeWhile(
    database,
    "DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE id <= ? LIMIT ?)",
    lastRun,
  );
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

function removeWhile(database: DatabaseSync, sql: string, edge: number): void {
  const remove = database.prepare(sql);
  while (remove.run(edge, PORTION).changes === PORTION);
}
