/** `toolscript connect`: puts Toolscript into MCP clients. */

import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import { attempt } from "#base";
import { findProject, linesOf, type Trust } from "#config";
import { loadReadable, withStoredTrust } from "../config.ts";
import type { Context } from "../context.ts";
import { trustOwn } from "../trust/trust_own.ts";
import { bytesOf, type ClientFile, hashOf, writeClientFile } from "./client_file.ts";
import { OWN_NAME } from "./clients.ts";
import { backUp, backupOf, checkCopy, needsCopy } from "./copy.ts";
import { edit, serversIn } from "./edit.ts";
import { type ConnectRecord, readRecords, type Records, writeRecords } from "./records.ts";
import { type Draft, draftOf, printDry, printRows, type Row, unchanged } from "./row.ts";
import { type ClientServers, type TakeOver, takeOver } from "./take_over.ts";
import { checkSame, chooseClients, readTarget, startOf, type Target, targetOf } from "./targets.ts";

export async function connect(context: Context): Promise<number> {
  const { io, options, print } = context;
  const project = await findProject(io);
  const targets = chooseClients(context, project).map((name) => targetOf(name, context, project));
  const records = readRecords(io.home);
  const before = await storedTrust(context);
  const open = (target: Target) => openTarget(target, { targets, records });
  const move = options.move === true
    ? await planMove(context, { targets, project, open })
    : undefined;
  const drafts = targets.map((target) =>
    draftOf(target, () => {
      const moved = move?.moved.get(target.file) ?? [];
      return draft(target, { context, file: open(target), records, moved });
    })
  );
  for (const note of move?.notes ?? []) await print.warn(note);
  if (options["dry-run"] === true) {
    return await printDry(context, drafts, move ? [draftOfMove(move)] : []);
  }
  move?.apply();
  const rows = drafts.map(({ apply }) => apply());
  if (rows.some(({ action }) => action === "added" || action === "updated")) {
    writeRecords(io.home, records);
  }
  const written = options.user === true ? undefined : move;
  if (await storedTrust(context) && (written || before?.kind === "trusted")) {
    const lines = linesOf({ servers: written?.added });
    await trustOwn(context, { before, lines, isForeign: written?.isForeign });
  }
  return await printRows(context, rows);
}

/** Plans the move of the servers, of the user's files too, into the configuration of the project;
 * with `--user` into that of the home folder. */
async function planMove(
  context: Context,
  { targets, project, open }: {
    readonly targets: readonly Target[];
    readonly project: string;
    readonly open: (target: Target) => ClientFile;
  },
): Promise<TakeOver> {
  const isUser = context.options.user === true;
  const folder = join(isUser ? context.io.home : project, ".onetool");
  const files = targets.flatMap((target): ClientServers[] => {
    // The draft of a file that cannot be read fails with the reason.
    const own = attempt(() => serversIn(open(target).text, target.client));
    const servers = new Map(own);
    servers.delete(OWN_NAME);
    return own ? [{ target, servers }] : [];
  });
  return await takeOver(context, { place: { folder, root: isUser ? folder : project }, files });
}

/** Reads a target that can be changed. Throws `FileProblem`. */
function openTarget(
  target: Target,
  { targets, records }: { readonly targets: readonly Target[]; readonly records: Records },
): ClientFile {
  const file = readTarget(target);
  checkSame(target, targets);
  const record = records.get(target.file);
  if (needsCopy(file, record)) checkCopy(file, record);
  return file;
}

/** Undefined where the configuration has errors. */
async function storedTrust(context: Context): Promise<Trust | undefined> {
  return (await loadReadable(withStoredTrust(context)))?.trust;
}

function draftOfMove({ file, before, after }: TakeOver): Draft {
  const row: Row = { client: OWN_NAME, file, action: "updated", moved: [], backup: null };
  return { row, before, after, apply: () => row };
}

interface DraftOptions {
  readonly context: Context;
  readonly file: ClientFile;
  readonly records: Records;
  readonly moved: readonly string[];
}

function draft(target: Target, { context, file, records, moved }: DraftOptions): Draft {
  const { client, file: path } = target;
  const servers = serversIn(file.text, client);
  const entry = client.entry(startOf(target, context));
  const present = servers.get(OWN_NAME);
  if (isDeepStrictEqual(present, entry) && moved.length === 0) {
    return unchanged(target, "unchanged");
  }
  const after = edit(file.text, { set: { [OWN_NAME]: entry }, remove: moved }, client);
  const record = records.get(path);
  const row: Row = {
    client: target.name,
    file: path,
    action: present ? "updated" : "added",
    moved,
    backup: needsCopy(file, record) ? backupOf(path) : null,
  };
  return {
    row,
    before: file.text,
    after,
    apply() {
      records.set(path, write(file, bytesOf(after, file), { record, moved }));
      return row;
    },
  };
}

interface WriteOptions {
  readonly record: ConnectRecord | undefined;
  readonly moved: readonly string[];
}

/** Writes the bytes, after a copy where the file needs one; returns the new record. */
function write(
  file: ClientFile,
  next: Uint8Array<ArrayBuffer>,
  { record, moved }: WriteOptions,
): ConnectRecord {
  const { bytes } = file;
  const before = bytes !== undefined && record?.hash === hashOf(bytes) ? record : undefined;
  const copy = bytes && needsCopy(file, record) ? backUp({ ...file, bytes }, record) : undefined;
  const folders = writeClientFile(file, next);
  const kind = bytes === undefined ? "made" : copy === hashOf(bytes) ? "changed" : "edited";
  return {
    kind: before?.kind ?? kind,
    hash: hashOf(next),
    ...(copy === undefined ? {} : { copy }),
    folders: before?.folders ?? folders,
    moved: [...new Set([...record?.moved ?? [], ...moved])],
  };
}
