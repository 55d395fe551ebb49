/** Access to a name through its open folder, so that no link can replace the folder between the check
 * of a path and its use. */

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Place } from "../kit/mod.ts";
import { draftName } from "../../closed/mod.ts";
import { PackError } from "../../errors.ts";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Bytes of a copied file that are in memory at a time. */
const PIECE_BYTES = 256 * 1024;

/** Calls `work` with a path that goes through the open folder. Only Linux has such paths; other systems
 * check the folder once more. */
export async function inFolder<T>(place: Place, work: (path: string) => Promise<T>): Promise<T> {
  const folder = dirname(place.path);
  await using handle = await openHandle(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const isLinux = Deno.build.os === "linux";
  const base = isLinux ? `/proc/self/fd/${handle.fd}` : folder;
  if (await Deno.realPath(base) !== folder) {
    throw new PackError("tool_error", `Cannot use "${place.label}": its folder has changed: retry`);
  }
  return await work(join(base, basename(place.path)));
}

/** Makes a folder and those above it. A link that appears on the way is not followed. */
export async function makeFolders(place: Place, mode?: number): Promise<void> {
  const info = await Deno.lstat(place.path).catch(ignoreMissing);
  if (info?.isDirectory) return;
  if (info) throw new Deno.errors.NotADirectory();
  await makeFolders(folderOf(place));
  await inFolder(place, async (path) => {
    await Deno.mkdir(path, { mode }).catch((error) => {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    });
  });
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/** Folder of a place. */
export function folderOf({ path, label }: Place): Place {
  return { path: dirname(path), label: dirname(label) };
}

/** Reads a regular file. Throws `PackError`. */
export async function readBytes(place: Place, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  return await withRegular(place, maxBytes, async (file) => {
    const { buffer, byteOffset, byteLength } = await file.readFile();
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
  });
}

/** Copies a regular file with its mode, in pieces, to where nothing is. Throws `PackError`. */
export async function copyRegular(from: Place, to: Place, maxBytes: number): Promise<void> {
  await withRegular(from, maxBytes, async (source) => {
    const { mode } = await source.stat();
    // One byte above the limit shows that the file has grown.
    const piece = new Uint8Array(Math.min(PIECE_BYTES, maxBytes + 1));
    const write = async (target: FileHandle) => {
      for (let size = 0;;) {
        const { bytesRead } = await source.read(piece, 0, piece.length);
        if (bytesRead === 0) return;
        if ((size += bytesRead) > maxBytes) throw tooLarge(from, size, maxBytes);
        await target.writeFile(piece.subarray(0, bytesRead));
      }
    };
    await inFolder(to, (path) => writeWhole(path, write, { mode, replace: false }));
  });
}

async function withRegular<T>(
  place: Place,
  maxBytes: number,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  return await inFolder(place, async (path) => {
    await using file = await openHandle(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const info = await file.stat();
    if (info.isDirectory()) throw unusable(place, "it is a folder: use file.list");
    if (!info.isFile()) throw unusable(place, "it is not a regular file");
    if (info.size > maxBytes) throw tooLarge(place, info.size, maxBytes);
    return await work(file);
  });
}

function tooLarge(place: Place, bytes: number, maxBytes: number): PackError {
  const size = `it has ${bytes} bytes, more than ${maxBytes}`;
  return new PackError("too_large", `Cannot read "${place.label}": ${size}: search it with grep`);
}

export interface WriteOptions {
  readonly mode: number | undefined;
  /** True if an existing file may be replaced. */
  readonly replace: boolean;
}

/** Writes a file atomically: no reader sees half of it, even after a crash. */
export async function replaceBytes(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<void> {
  await writeWhole(path, (file) => file.writeFile(bytes), options);
}

async function writeWhole(
  path: string,
  write: (file: FileHandle) => Promise<void>,
  { mode, replace }: WriteOptions,
): Promise<void> {
  const temporary = join(dirname(path), draftName());
  try {
    // An open file stays open: others may open the draft once it has the mode of the old file.
    const draftMode = mode === undefined ? 0o666 : 0o600;
    const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    await using file = await openHandle(temporary, flags, draftMode);
    await write(file);
    if (mode !== undefined) await file.chmod(mode & 0o777);
    await file.datasync();
    if (replace) await Deno.rename(temporary, path);
    else await renameNew(temporary, path);
  } finally {
    await Deno.remove(temporary).catch(() => {}); // renamed, or never made
  }
}

/** Renames without replacing: a hard link fails where a rename would replace. */
async function renameNew(from: string, to: string): Promise<void> {
  try {
    await Deno.link(from, to);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw error;
    // A file system without hard links.
    if (await Deno.lstat(to).then(() => true, () => false)) throw error;
    await Deno.rename(from, to);
  }
}

function unusable(place: Place, why: string): PackError {
  return new PackError("tool_error", `Cannot read "${place.label}": ${why}`);
}

async function openHandle(
  path: string,
  flags: number,
  mode?: number,
): Promise<FileHandle & AsyncDisposable> {
  const handle = await open(path, flags, mode);
  return Object.assign(handle, { [Symbol.asyncDispose]: () => handle.close() });
}
