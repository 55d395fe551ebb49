/** The tables of the statistics, and how an older file becomes a newer one. */

import { DatabaseSync } from "node:sqlite";

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

/** The file was written by a newer version, which alone knows what it means. */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";
  constructor(version: number) {
    super(`it has version ${version}, this Toolscript knows ${STEPS.length}`);
  }
}

/** The file holds something that is not ours, which SQLite would run: a trigger, a view. */
export class ForeignFile extends Error {
  override readonly name = "ForeignFile";
}

/** Brings a file to the newest version. Several processes may do so at the same time. Throws
 * `ForeignFile`. */
export function migrate(database: DatabaseSync): void {
  if (versionOf(database) === STEPS.length) return checkSchema(database, STEPS.length);
  perform(database, "BEGIN IMMEDIATE");
  try {
    const version = versionOf(database); // Another process may have been faster.
    if (version > STEPS.length) throw new NewerSchema(version);
    checkSchema(database, version);
    for (const step of STEPS.slice(version)) database.exec(step);
    // A pragma takes no parameters; the number is ours.
    database.exec(`PRAGMA user_version = ${STEPS.length}`);
    perform(database, "COMMIT");
  } catch (error) {
    perform(database, "ROLLBACK");
    throw error;
  }
}

/** Compares all that the file declares with what the steps to its version make. */
function checkSchema(database: DatabaseSync, version: number): void {
  const ours = new DatabaseSync(":memory:");
  try {
    for (const step of STEPS.slice(0, version)) ours.exec(step);
    if (schemaOf(database) === schemaOf(ours)) return;
    throw new ForeignFile("it declares something that is not of Toolscript");
  } finally {
    ours.close();
  }
}

function schemaOf(database: DatabaseSync): string {
  const sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";
  return JSON.stringify(database.prepare(sql).all());
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

/** One statement. Errors of `exec` do not tell what kind they are, those of a statement do. */
export function perform(database: DatabaseSync, sql: string): void {
  database.prepare(sql).all();
}
