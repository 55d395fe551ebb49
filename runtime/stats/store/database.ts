/** The file that statistics are kept in: in the home folder, shared by all gateways of a project. */

import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStateFolder } from "#files";
import { attempt } from "#base";
import { migrate, perform } from "./schema.ts";

const FILE = "stats.db";
/** Time to wait while another process holds the file. A reader waits until that ends; a writer
 * tries again later. */
const WAIT_MS = { read: 5_000, write: 5 } as const;
/** Pages of the log, of 4 kB, that are moved to the file. */
const LOG_PAGES = { read: 1_000, write: 8_000 } as const;
/** SQLITE_BUSY, SQLITE_LOCKED. */
const BUSY = [5, 6];
/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const CORRUPT = [11, 26];
const PARTS = ["", "-wal", "-shm"];

/** The path of the file in its folder. */
export function statsFile(folder: string): string {
  return join(folder, FILE);
}

/** Opens the file, created where missing: 0600 in a folder of 0700. Throws errors of SQLite. */
export function openDatabase(folder: string, use: keyof typeof WAIT_MS): DatabaseSync {
  openStateFolder(folder, { root: dirname(dirname(folder)) });
  const path = statsFile(folder);
  if (!lstat(path)) createFile(path);
  for (const part of PARTS) checkPart(`${path}${part}`);
  return openFile(path, use);
}

function openFile(path: string, use: keyof typeof WAIT_MS): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: WAIT_MS[use] });
  try {
    // What is committed survives a crash of the process; the file survives one of the machine.
    // A reader that tidies moves the log to the file. That waits for the disk: a writer does so only
    // where the log has grown for long.
    perform(database, "PRAGMA journal_mode = WAL");
    perform(database, "PRAGMA synchronous = NORMAL");
    perform(database, `PRAGMA wal_autocheckpoint = ${LOG_PAGES[use]}`);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the file for reading; a missing file reads as empty. */
export function openForReading(folder: string): DatabaseSync {
  if (identityOf(folder) !== null) return openDatabase(folder, "read");
  const database = new DatabaseSync(":memory:");
  migrate(database);
  return database;
}

/** Makes the file whole or not at all, with its mode: its neighbours take the mode from it. */
function createFile(path: string): void {
  const draft = `${path}.${crypto.randomUUID()}`;
  Deno.openSync(draft, { write: true, createNew: true, mode: 0o600 }).close();
  try {
    openFile(draft, "write").close();
    Deno.linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error; // Another process was faster.
  } finally {
    Deno.removeSync(draft);
  }
}

/** Refuses to write to a link, or to a file of another user. */
function checkPart(path: string): void {
  const info = lstat(path);
  if (!info) return;
  if (!info.isFile || info.uid !== Deno.uid()) {
    throw new Error(`"${path}" is not a plain file of your own: remove it`);
  }
  if (info.mode !== null && (info.mode & 0o077) !== 0) Deno.chmodSync(path, 0o600);
}

function lstat(path: string): Deno.FileInfo | undefined {
  // Not there.
  return attempt(() => Deno.lstatSync(path));
}

/** Returns true if another process locks the file at the moment. */
export function isBusy(error: unknown): boolean {
  return BUSY.includes(codeOf(error));
}

/** Returns true if the file is not a database, or is corrupt. */
export function isCorrupt(error: unknown): boolean {
  return CORRUPT.includes(codeOf(error));
}

function codeOf(error: unknown): number {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) : 0;
  return code & 0xff;
}

/** Identity of a file, independent of its name. */
export function identityOf(folder: string): number | null {
  return lstat(statsFile(folder))?.ino ?? null;
}

/** Takes a broken file out of the way; answers its new name. */
export function setAside(folder: string, at: number): string {
  const path = statsFile(folder);
  const aside = `${path}.broken-${new Date(at).toISOString().replaceAll(/[:.]/g, "-")}`;
  for (const part of PARTS) {
    try {
      Deno.renameSync(`${path}${part}`, `${aside}${part}`);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // There need not be all three.
    }
  }
  return aside;
}
