/** `toolscript disconnect`: takes Toolscript out of MCP clients, and puts back what was moved. */

import { attempt } from "#base";
import { findProject } from "#config";
import { realPathOf } from "#files";
import type { Context } from "../context.ts";
import { bytesOf, hashOf, removeFile, writeClientFile } from "./client_file.ts";
import type { Entry } from "./clients.ts";
import { OWN_NAME } from "./clients.ts";
import { readCopy, removeCopy } from "./copy.ts";
import { edit, serversIn } from "./edit.ts";
import { type ConnectRecord, readRecords, type Records, writeRecords } from "./records.ts";
import { type Draft, draftOf, printDry, printRows, type Row, unchanged } from "./row.ts";
import { chooseClients, readTarget, type Target, targetsOf } from "./targets.ts";

export async function disconnect(context: Context): Promise<number> {
  const { io, options } = context;
  const project = await findProject(io);
  const records = readRecords(io.home);
  const seen = new Set<string>();
  const drafts = chooseClients(context, project).flatMap((name) => {
    const all = targetsOf(name, context, project)
      .map((target) => draftOf(target, () => draft(target, { records, seen })));
    const present = all.filter(({ row }) => row.action !== "not_found");
    return present.length > 0 ? present : all.slice(0, 1);
  });
  if (options["dry-run"] === true) return await printDry(context, drafts);
  const rows = drafts.map(({ apply }) => apply());
  if (rows.some(({ action }) => action === "removed")) writeRecords(io.home, records);
  return await printRows(context, rows);
}

interface DraftOptions {
  readonly records: Records;
  /** Real paths of the files that have a draft. */
  readonly seen: Set<string>;
}

function draft(target: Target, { records, seen }: DraftOptions): Draft {
  const { client, file: path } = target;
  const record = records.get(path);
  const file = readTarget(target);
  const real = realPathOf(path);
  if (seen.has(real)) return unchanged(target, "not_found");
  seen.add(real);
  if (file.bytes === undefined) return forget(target, records);
  const isUnedited = record !== undefined && hashOf(file.bytes) === record.hash;
  const before = file.text;
  if (isUnedited && record.kind === "made") {
    return withdrawal(target, { before, after: "", records, restore: () => remove(path, record) });
  }
  const copy = readCopy(path, record);
  const { bytes: original } = copy;
  if (isUnedited && record.kind === "changed" && original !== undefined) {
    const restore = () => void writeClientFile(file, original);
    return withdrawal(target, { before, after: copy.text, records, restore });
  }
  const servers = serversIn(file.text, client);
  const earlier = original ? serversIn(copy.text, client) : new Map<string, Entry>();
  const back = (record?.moved ?? []).filter((name) => !servers.has(name) && earlier.has(name));
  if (!servers.has(OWN_NAME) && back.length === 0) return forget(target, records);
  const set = Object.fromEntries(back.map((name) => [name, earlier.get(name) ?? {}]));
  const after = edit(before, { set, remove: servers.has(OWN_NAME) ? [OWN_NAME] : [] }, client);
  const restore = () => void writeClientFile(file, bytesOf(after, file));
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
      removeCopy(file, records.get(file));
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
