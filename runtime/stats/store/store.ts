/** Writes statistics to SQLite, in batches, and lets no trouble with the file reach a run. */

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { type Log, messageOf } from "#base";
import { identityOf, isBusy, isCorrupt, openDatabase, setAside } from "./database.ts";
import { NewerSchema, perform } from "./schema.ts";
import type { AuditRow } from "../audit/audit.ts";
import type { Batch, CallRow, RunRow, StatsStore, ToolsetRow } from "../types.ts";

export interface StatsStoreOptions {
  /** `<project>/.onetool/stats`, absolute; made when first needed. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

interface Opened {
  readonly database: DatabaseSync;
  readonly identity: number | null;
  readonly insert: Readonly<Record<keyof typeof INSERTS, StatementSync>>;
}

const INSERTS = {
  call: `INSERT INTO calls (at, ms, run, client, pack, tool, code, bytes_in, bytes_out)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  run: `INSERT INTO runs
          (run, at, ms, kind, client, within, code, calls, bytes_in, bytes_out, toolset, look)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  audit: `INSERT INTO audit (at, kind, run, client, tool, answer, source, code, details)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  toolset: "INSERT OR IGNORE INTO toolsets (id, tools, bytes, offered) VALUES (?, ?, ?, ?)",
} as const;

/** A store in a folder of the project. The file is opened by the first batch. */
export function createStatsStore(options: StatsStoreOptions): StatsStore {
  const { folder, now, log } = options;
  let opened: Opened | undefined;
  let isReported = false;

  function open(): Opened {
    const database = openDatabase(folder, "write");
    const prepare = (name: keyof typeof INSERTS) => database.prepare(INSERTS[name]);
    const insert = {
      call: prepare("call"),
      run: prepare("run"),
      audit: prepare("audit"),
      toolset: prepare("toolset"),
    };
    return { database, identity: identityOf(folder), insert };
  }

  function close(): void {
    const { database } = opened ?? {};
    opened = undefined;
    try {
      database?.close();
    } catch {
      // A broken file need not close well.
    }
  }

  /** Another gateway may have taken the broken file away already: its new one stays. */
  function replace(): void {
    const identity = opened ? opened.identity : identityOf(folder);
    close();
    if (identity !== identityOf(folder)) return;
    const aside = setAside(folder, now());
    log("warning", "The file of the statistics was broken: a new one is begun", { aside });
  }

  /** Statistics are not worth a run: they end with one warning. */
  function giveUp(error: unknown): true {
    const reason = messageOf(error);
    const what = error instanceof NewerSchema ? "a newer Toolscript keeps them" : "no file";
    if (!isReported) log("warning", `Statistics are not kept: ${what}`, { reason });
    isReported = true;
    close();
    return true;
  }

  function attempt(batch: Batch): void {
    opened ??= open();
    // A removed file is created again: writes to the open one would be lost.
    if (opened.identity !== identityOf(folder)) {
      close();
      opened = open();
    }
    insertAll(opened, batch);
  }

  return {
    write(batch) {
      if (isReported) return true;
      try {
        attempt(batch);
        return true;
      } catch (error) {
        if (isBusy(error)) return false;
        if (!isCorrupt(error)) return giveUp(error);
      }
      try {
        replace();
        attempt(batch);
        return true;
      } catch (error) {
        return isBusy(error) ? false : giveUp(error);
      }
    },
    close,
  };
}

function insertAll(
  { database, insert }: Opened,
  { calls, runs, audit = [], toolsets }: Batch,
): void {
  perform(database, "BEGIN IMMEDIATE");
  try {
    for (const toolset of toolsets) insert.toolset.run(...toolsetValues(toolset));
    for (const call of calls) insert.call.run(...callValues(call));
    for (const run of runs) insert.run.run(...runValues(run));
    for (const event of audit) insert.audit.run(...auditValues(event));
    perform(database, "COMMIT");
  } catch (error) {
    try {
      perform(database, "ROLLBACK");
    } catch {
      // SQLite may have rolled back by itself; the first error counts.
    }
    throw error;
  }
}

function toolsetValues({ id, tools, bytes, offered }: ToolsetRow): SQLInputValue[] {
  return [id, tools, bytes, offered];
}

function callValues(call: CallRow): SQLInputValue[] {
  const { at, ms, run, client, pack, tool, code, bytesIn, bytesOut } = call;
  return [at, ms, run, client, pack, tool, code, bytesIn, bytesOut];
}

function auditValues(row: AuditRow): SQLInputValue[] {
  const { at, kind, run, client, tool, answer, from, code, details } = row;
  return [at, kind, run, client, tool, answer, from, code, details];
}

function runValues(row: RunRow): SQLInputValue[] {
  const { run, at, ms, kind, client, within, code, calls, bytesIn, bytesOut, toolset, look } = row;
  const sizes = [bytesIn, bytesOut, toolset, look ? 1 : 0];
  return [run, at, ms, kind, client, within, code, calls, ...sizes];
}
