/** The tables of the statistics, and how an older file becomes a newer one. */

import type { DatabaseSync } from "node:sqlite";

/** Each step takes a file from its version to the next; only ever added to. */
const STEPS: readonly string[] = [
  `CREATE TABLE calls (
     id INTEGER PRIMARY KEY, at INTEGER NOT NULL, ms REAL NOT NULL, run TEXT, client TEXT NOT NULL,
     pack TEXT NOT NULL, tool TEXT NOT NULL, code TEXT,
     bytes_in INTEGER NOT NULL, bytes_out INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX calls_at ON calls (at);
   CREATE TABLE runs (
     id INTEGER PRIMARY KEY, run TEXT NOT NULL, at INTEGER NOT NULL, ms REAL NOT NULL,
     kind TEXT NOT NULL, client TEXT NOT NULL, within TEXT, code TEXT, calls INTEGER NOT NULL,
     bytes_in INTEGER NOT NULL, bytes_out INTEGER NOT NULL, toolset TEXT
   ) STRICT;
   CREATE INDEX runs_at ON runs (at);
   CREATE INDEX runs_run ON runs (run);
   CREATE TABLE toolsets (
     id TEXT PRIMARY KEY, tools INTEGER NOT NULL, bytes INTEGER NOT NULL, offered INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE densities (
     kind TEXT PRIMARY KEY, bytes INTEGER NOT NULL, tokens INTEGER NOT NULL
   ) STRICT;`,
  `CREATE TABLE audit (
     id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, run TEXT, client TEXT,
     tool TEXT NOT NULL, answer TEXT, source TEXT, code TEXT, details TEXT
   ) STRICT;
   CREATE INDEX audit_at ON audit (at);`,
  `ALTER TABLE runs ADD COLUMN look INTEGER NOT NULL DEFAULT 0;`,
];

/** Version of a file that has gone through all steps. */
const NEWEST = STEPS.length;

/** The file was written by a newer version, which alone knows what it means. */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";
  constructor(version: number) {
    super(`it has version ${version}, this Toolscript knows ${NEWEST}`);
  }
}

/** Brings a file to the newest version. Several processes may do so at the same time. */
export function migrate(database: DatabaseSync): void {
  if (versionOf(database) === NEWEST) return;
  perform(database, "BEGIN IMMEDIATE");
  try {
    const version = versionOf(database); // Another process may have been faster.
    if (version > NEWEST) throw new NewerSchema(version);
    for (const step of STEPS.slice(version)) database.exec(step);
    // A pragma takes no parameters; the number is ours.
    database.exec(`PRAGMA user_version = ${NEWEST}`);
    perform(database, "COMMIT");
  } catch (error) {
    perform(database, "ROLLBACK");
    throw error;
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

/** One statement. Errors of `exec` do not tell what kind they are, those of a statement do. */
export function perform(database: DatabaseSync, sql: string): void {
  database.prepare(sql).all();
}
