/** `toolscript disconnect`: takes Toolscript out of MCP clients, and puts back what was moved. */

import { attempt } from "#base";
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
import { OWN_NAME } from "./clients.ts";
import { edit, serversIn } from "./edit.ts";
import { type ConnectRecord, readRecords, type Records, writeRecords } from "./records.ts";
import { type Draft, draftOf, printDry, printRows, type Row, unchanged } from "./row.ts";
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
  if (options["dry-run"] === true) return await printDry(context, drafts);
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
  const before = file.text;
  if (isUnedited && record.kind === "made") {
    return withdrawal(target, { before, after: "", records, restore: () => remove(path, record) });
  }
  const copy = readClientFile(backupOf(path));
  const { bytes: original } = copy;
  if (isUnedited && record.kind === "changed" && original !== undefined) {
    const restore = () => replace(file, original);
    return withdrawal(target, { before, after: copy.text, records, restore });
  }
  const servers = serversIn(file.text, client);
  const earlier = original ? serversIn(copy.text, client) : new Map<string, Entry>();
  const back = (record?.moved ?? []).filter((name) => !servers.has(name) && earlier.has(name));
  if (!servers.has(OWN_NAME) && back.length === 0) return forget(target, records);
  const set = Object.fromEntries(back.map((name) => [name, earlier.get(name) ?? {}]));
  const after = edit(before, { set, remove: servers.has(OWN_NAME) ? [OWN_NAME] : [] }, client);
  const restore = () => replace(file, bytesOf(after, file));
  return withdrawal(target, { before, after, records, restore });
}

/** Draft of a file without Toolscript in it. */
function forget(target: Target, records: Records): Draft {
  const draft = unchanged(target, "not_found");
  return { ...draft, apply: () => (records.delete(target.file), draft.row) };
}

interface Withdrawal {
  readonly before: string;
  readonly after: string;
  readonly records: Records;
  /** Brings the file into its new state. */
  readonly restore: () => void;
}

/** Draft of a file that Toolscript is taken out of. */
function withdrawal(target: Target, { before, after, records, restore }: Withdrawal): Draft {
  const { name, file } = target;
  const moved = records.get(file)?.moved ?? [];
  const row: Row = { client: name, file, action: "removed", moved, backup: null };
  return {
    row,
    before,
    after,
    apply() {
      restore();
      records.delete(file);
      return row;
    },
  };
}

/** Removes a file that `connect` made, with the folders that it made. */
function remove(path: string, { folders }: ConnectRecord): void {
  removeFile(path);
  // Something else may be in it, or it is gone.
  for (const folder of folders) attempt(() => Deno.removeSync(folder));
}

function replace(file: ClientFile, next: Uint8Array): void {
  writeClientFile(file, next);
  removeFile(backupOf(file.path));
}
