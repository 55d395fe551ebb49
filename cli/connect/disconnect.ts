/** `toolscript disconnect`: takes Toolscript out of MCP clients, and puts back what was moved. */

import { findProject } from "#config";
import type { Context } from "../context.ts";
import {
  backupOf,
  bytesOf,
  type ClientFile,
  hashOf,
  readClientFile,
  removeFile,
  writeClientFile,
} from "./client_file.ts";
import type { Entry } from "./clients.ts";
import { OWN_NAME } from "./connect.ts";
import { edit, serversIn } from "./edit.ts";
import { type ConnectRecord, readRecords, type Records, writeRecords } from "./records.ts";
import { type Draft, draftOf, printDiff, printRows, type Row, unchanged } from "./row.ts";
import { chooseClients, type Target, targetsOf } from "./targets.ts";

export async function disconnect(context: Context): Promise<number> {
  const { io, options } = context;
  const project = await findProject(io);
  const records = readRecords(io.home);
  const drafts = chooseClients(context, project).flatMap((name) => {
    const all = targetsOf(name, context, project)
      .map((target) => draftOf(target, () => draft(target, records)));
    const present = all.filter(({ row }) => row.action !== "not_found");
    return present.length > 0 ? present : all.slice(0, 1);
  });
  const isDry = options["dry-run"] === true;
  if (isDry && options.json !== true) {
    await printDiff(context, drafts);
    return drafts.some(({ row }) => row.action === "failed") ? 1 : 0;
  }
  if (isDry) return await printRows(context, drafts.map(({ row }) => row));
  const rows = drafts.map(({ apply }) => apply());
  if (rows.some(({ action }) => action === "removed")) writeRecords(io.home, records);
  return await printRows(context, rows);
}

function draft(target: Target, records: Records): Draft {
  const { client, file: path } = target;
  const record = records.get(path);
  const file = readClientFile(path);
  if (file.bytes === undefined) return forget(target, records);
  const isUnedited = record !== undefined && hashOf(file.bytes) === record.hash;
  if (isUnedited && record.kind === "made") return removal(target, { file, record, records });
  const copy = readClientFile(backupOf(path));
  if (isUnedited && record.kind === "changed" && copy.bytes !== undefined) {
    return replacement(target, { file, after: copy.text, next: copy.bytes, records });
  }
  const servers = serversIn(file.text, client);
  const original = copy.bytes ? serversIn(copy.text, client) : new Map<string, Entry>();
  const back = (record?.moved ?? []).filter((name) => !servers.has(name) && original.has(name));
  if (!servers.has(OWN_NAME) && back.length === 0) return forget(target, records);
  const set = Object.fromEntries(back.map((name) => [name, original.get(name) ?? {}]));
  const remove = servers.has(OWN_NAME) ? [OWN_NAME] : [];
  const after = edit(file.text, { set, remove }, client);
  return replacement(target, { file, after, next: bytesOf(after, file), records });
}

/** Draft of a file without Toolscript in it. */
function forget(target: Target, records: Records): Draft {
  const { row, ...rest } = unchanged(target, "not_found");
  return {
    ...rest,
    row,
    apply() {
      records.delete(target.file);
      return row;
    },
  };
}

interface Removal {
  readonly file: ClientFile;
  readonly record: ConnectRecord;
  readonly records: Records;
}

function removal(target: Target, { file, record, records }: Removal): Draft {
  const row = removed(target, record);
  return {
    row,
    before: file.text,
    after: "",
    apply() {
      removeFile(file.path);
      for (const folder of record.folders) removeEmptyFolder(folder);
      records.delete(file.path);
      return row;
    },
  };
}

interface Replacement {
  readonly file: ClientFile;
  readonly after: string;
  readonly next: Uint8Array;
  readonly records: Records;
}

function replacement(target: Target, { file, after, next, records }: Replacement): Draft {
  const row = removed(target, records.get(file.path));
  return {
    row,
    before: file.text,
    after,
    apply() {
      writeClientFile(file, next);
      removeFile(backupOf(file.path));
      records.delete(file.path);
      return row;
    },
  };
}

function removed({ name, file }: Target, record: ConnectRecord | undefined): Row {
  return { client: name, file, action: "removed", moved: record?.moved ?? [], backup: null };
}

function removeEmptyFolder(folder: string): void {
  try {
    Deno.removeSync(folder);
  } catch {
    // Something else is in it, or it is gone.
  }
}
