/** `file.copy`, `file.move`, `file.delete` and `file.make_folder`. */

import { join } from "node:path";
import { abortable } from "#base";
import type { Place } from "../kit/mod.ts";
import { isDraft } from "../../closed/mod.ts";
import { PackError } from "../../errors.ts";
import { isUnchanged } from "../search/paths.ts";
import { kindOf, type Walked } from "../search/walk.ts";
import { checkTree, movedLink } from "./closed_tree.ts";
import { copyRegular, folderOf, inFolder, makeFolders } from "./open_folder.ts";
import type { Args, PAIR } from "./params.ts";
import type { ChangeDeps } from "./write.ts";

type TransferArgs = Args<typeof PAIR>;

/** Copies a file, or a folder with its entries, without its links. */
export async function copy(args: TransferArgs, deps: ChangeDeps) {
  const from = await deps.folders.existing(args.from, "copy");
  const { isDirectory: isFolder } = await Deno.lstat(from.path);
  const to = await deps.folders.writable(args.to, "copy to", { isFolder });
  if (!isFolder) {
    const backup = await makeRoom(to, args, deps);
    await copyFile(from, to, deps);
    return { from: from.label, to: to.label, files: 1, left_out: 0, backup };
  }
  refuseIntoItself(from, to, "copy");
  const entries = await entriesBelow(from, deps);
  const backup = await makeRoom(to, args, deps);
  const counts = await copyEntries(entries, { from, to, ...deps });
  return { from: from.label, to: to.label, ...counts, backup };
}

interface Pair {
  readonly from: Place;
  readonly to: Place;
}

/** Copies the files and folders that may be read and whose target may be written. Counts the others. */
async function copyEntries(entries: readonly Walked[], { from, to, ...deps }: Pair & ChangeDeps) {
  await makeFolders(to, await folderMode(from.path));
  const counts = { files: 0, left_out: 0 };
  for (const { path, kind } of entries) {
    deps.signal.throwIfAborted();
    const below = path.slice(from.path.length + 1);
    const target = { path: join(to.path, below), label: join(to.label, below) };
    const isFolder = kind === "folder";
    const isOpen = (isFolder || kind === "file") && await deps.folders.isReadable(path) &&
      await deps.folders.isWritable(target.path, { isFolder });
    if (!isOpen) counts.left_out++;
    else if (isFolder) await makeFolders(target, await folderMode(path));
    else {
      await copyFile({ path, label: join(from.label, below) }, target, deps);
      counts.files++;
    }
  }
  return counts;
}

/** Mode for the copy of a folder: it is open to no others than the folder is, and entries can be made in
 * it. */
async function folderMode(path: string): Promise<number | undefined> {
  const { mode } = await Deno.lstat(path);
  return mode === null ? undefined : mode & 0o777 | 0o700;
}

/** Reads all entries below a folder, a folder before its entries, without those of git and drafts, which
 * are gone a moment later. Throws where they are too many. */
async function entriesBelow(from: Place, { settings }: ChangeDeps): Promise<Walked[]> {
  const { maxEntries } = settings;
  const entries: Walked[] = [];
  const folders = [from.path];
  for (const folder of folders) {
    for (const entry of await entriesIn(folder, maxEntries + 1 - entries.length)) {
      entries.push(entry);
      if (entry.kind === "folder") folders.push(entry.path);
    }
    if (entries.length > maxEntries) {
      throw failed("copy", from, `it holds more than ${maxEntries} entries: copy it in parts`);
    }
  }
  return entries;
}

/** Reads at most so many entries of a folder. */
async function entriesIn(folder: string, most: number): Promise<Walked[]> {
  const entries: Walked[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) {
      if (entry.name === ".git" || isDraft(entry.name)) continue;
      entries.push({ path: join(folder, entry.name), name: entry.name, kind: kindOf(entry) });
      if (entries.length === most) break;
    }
  } catch {
    // The folder is gone, or this user may not read it.
    return [];
  }
  return isUnchanged(folder) ? entries : [];
}

async function copyFile(from: Place, to: Place, deps: ChangeDeps): Promise<void> {
  await makeFolders(folderOf(to));
  await deps.folders.check(to, "copy to");
  // `makeRoom` removed the previous file.
  await copyRegular(from, to, deps.settings.maxFileBytes);
}

/** Moves or renames a file, or a folder without links. */
export async function move(args: TransferArgs, deps: ChangeDeps) {
  // What is checked changes nothing, and may end later than its call.
  const { from, to, isFolder } = await abortable(checkMove(args, deps), deps.signal);
  const backup = await makeRoom(to, args, deps);
  await makeFolders(folderOf(to));
  await inFolder(from, (source) => inFolder(to, (target) => Deno.rename(source, target)));
  if (isFolder) deps.folders.outdate();
  return { from: from.label, to: to.label, backup };
}

async function checkMove(args: TransferArgs, deps: ChangeDeps) {
  const from = await deps.folders.entry(args.from, "move");
  // A missing one is told of when the target is checked.
  const info = await Deno.lstat(from.path).catch(() => undefined);
  const to = await deps.folders.writable(args.to, "move to", { isFolder: info?.isFile === false });
  await deps.folders.refuseRoot(from, "move");
  if (info?.isSymlink) throw movedLink(from);
  refuseIntoItself(from, to, "move");
  await checkTree(from, { action: "move", to, ...deps });
  return { from, to, isFolder: info?.isDirectory === true };
}

/** Deletes a file, a link or a folder. */
export async function remove(
  args: { readonly path: string; readonly recursive: boolean },
  deps: ChangeDeps,
) {
  const place = await deps.folders.entry(args.path, "delete");
  await deps.folders.refuseRoot(place, "delete");
  const info = await Deno.lstat(place.path);
  if (info.isDirectory && !args.recursive && !await isEmpty(place.path)) {
    throw failed("delete", place, "the folder is not empty: pass recursive=true");
  }
  await checkTree(place, { action: "delete", ...deps });
  deps.signal.throwIfAborted();
  const backup = await removeEntry(place, deps);
  if (info.isDirectory) deps.folders.outdate();
  return { path: place.label, kind: kindOf(info), backup };
}

/** Makes a folder, and those above it. */
export async function makeFolder(path: string, deps: ChangeDeps) {
  const place = await deps.folders.writable(path, "make", { isFolder: true });
  const existed = await Deno.lstat(place.path).then(() => true, () => false);
  deps.signal.throwIfAborted();
  await makeFolders(place);
  return { path: place.label, created: !existed };
}

/** Removes an existing file from the target; returns its backup. Throws if the run has ended: a change
 * begins here. */
async function makeRoom(to: Place, args: TransferArgs, deps: ChangeDeps): Promise<string | null> {
  const info = await Deno.lstat(to.path).catch(() => undefined);
  deps.signal.throwIfAborted();
  if (!info) return null;
  if (info.isDirectory) {
    throw failed("write", to, "it is a folder: give the new name inside of it too");
  }
  if (!args.overwrite) throw failed("write", to, "it exists already: pass overwrite=true");
  return await removeEntry(to, deps);
}

async function removeEntry(place: Place, { settings, trash }: ChangeDeps): Promise<string | null> {
  return await inFolder(place, async (path) => {
    if (settings.backup) return await (await trash()).take(place, path);
    await Deno.remove(path, { recursive: true });
    return null;
  });
}

async function isEmpty(path: string): Promise<boolean> {
  for await (const _ of Deno.readDir(path)) return false;
  return true;
}

function refuseIntoItself(from: Place, to: Place, action: string): void {
  if (to.path === from.path || to.path.startsWith(`${from.path}/`)) {
    throw failed(action, from, `"${to.label}" is the same, or lies in it`);
  }
}

function failed(action: string, place: Place, why: string): PackError {
  return new PackError("tool_error", `Cannot ${action} "${place.label}": ${why}`);
}
