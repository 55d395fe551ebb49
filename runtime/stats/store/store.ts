/** Writes statistics to SQLite, in batches, and lets no trouble with the file reach a run. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { attempt, type Log, messageOf } from "#base";
import { identityOf, isBusy, isCorrupt, openDatabase, setAside } from "./database.ts";
import { NewerSchema, perform } from "./schema.ts";
import type { Batch, StatsStore } from "../types.ts";

export interface StatsStoreOptions {
  /** `~/.onetool/stats/<hash of the project's real path>`; made when first needed. */
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

/** Statements whose parameters are the fields of a row. */
const INSERTS = {
  call: `INSERT INTO calls (at, ms, run, client, pack, tool, code, bytes_in, bytes_out)
         VALUES (:at, :ms, :run, :client, :pack, :tool, :code, :bytesIn, :bytesOut)`,
  run: `INSERT INTO runs
          (run, at, ms, kind, client, within, code, calls, bytes_in, bytes_out, toolset, look)
        VALUES (:run, :at, :ms, :kind, :client, :within, :code, :calls, :bytesIn, :bytesOut,
          :toolset, :look)`,
  audit: `INSERT INTO audit (at, kind, run, client, tool, answer, source, code, details)
          VALUES (:at, :kind, :run, :client, :tool, :answer, :from, :code, :details)`,
  toolset: `INSERT OR IGNORE INTO toolsets (id, tools, bytes, offered)
            VALUES (:id, :tools, :bytes, :offered)`,
} as const;

/** A store in a folder. The file is opened by the first batch. */
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
    // A broken file need not close well.
    attempt(() => database?.close());
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

  function insert(batch: Batch): void {
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
        insert(batch);
        return true;
      } catch (error) {
        if (isBusy(error)) return false;
        if (!isCorrupt(error)) return giveUp(error);
      }
      try {
        replace();
        insert(batch);
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
    for (const toolset of toolsets) insert.toolset.run({ ...toolset });
    for (const call of calls) insert.call.run({ ...call });
    for (const run of runs) insert.run.run({ ...run, look: Number(run.look) });
    for (const event of audit) insert.audit.run(event);
    perform(database, "COMMIT");
  } catch (error) {
    // SQLite may have rolled back by itself; the first error counts.
    attempt(() => perform(database, "ROLLBACK"));
    throw error;
  }
}
