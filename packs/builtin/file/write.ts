/** `file.write`, `file.append` and `file.edit`. */

import { Buffer } from "node:buffer";
import type { Caller, Folders, Place } from "../kit/mod.ts";
import { PackError } from "../../errors.ts";
import { diffOf } from "./diff.ts";
import { folderOf, inFolder, makeFolders, readBytes, replaceBytes } from "./open_folder.ts";
import { countEnds } from "./lines.ts";
import type { Locks } from "./locks.ts";
import { occurrencesOf } from "./occurrences.ts";
import type { APPEND, Args, EDIT, WRITE } from "./params.ts";
import type { FileSettings } from "./settings.ts";
import { decodeText, encodedSize, encodeText, type FileText } from "./text.ts";
import type { Trash } from "./trash.ts";

export interface WriteDeps {
  readonly folders: Folders;
  readonly settings: FileSettings;
  readonly locks: Locks;
  readonly trash: () => Promise<Trash>;
}

/** Parts of one change. What has not begun to change files when the run ends changes none. */
export interface ChangeDeps extends WriteDeps, Caller {}

/** Limit of replacements: more would block the event loop and is surely a mistake. */
const MOST_REPLACED = 1_000_000;
const MOST_LINES = 100;

/** Writes a whole file. */
export async function write(args: Args<typeof WRITE>, deps: ChangeDeps) {
  const place = await deps.folders.writable(args.path, "write");
  const size = checkSize(args.text, place, deps.settings);
  checkWhole(size, place, deps.settings);
  return await deps.locks.run(place.path, async () => {
    const old = await current(place, deps.settings);
    if (old && !args.overwrite) {
      throw new PackError(
        "tool_error",
        `Cannot write "${place.label}": it exists already: change it with file.edit, or pass ` +
          "overwrite=true",
      );
    }
    const text = typeof old?.decoded === "object" ? old.decoded.text : "";
    const diff = await diffOf(place.label, text, args.text);
    const bytes = new TextEncoder().encode(args.text);
    const backup = args.dry_run ? null : await writePlace(place, { bytes, old, deps });
    const { label: path } = place;
    return { path, bytes: bytes.length, created: !old, diff, backup, dry_run: args.dry_run };
  }, { most: () => size, signal: deps.signal, run: deps.run });
}

/** Adds to the end of a file. */
export async function append(args: Args<typeof APPEND>, deps: ChangeDeps) {
  const place = await deps.folders.writable(args.path, "append to");
  const size = checkSize(args.text, place, deps.settings);
  return await deps.locks.run(place.path, async () => {
    const old = await current(place, deps.settings);
    const added = new TextEncoder().encode(args.text);
    const before = old?.bytes ?? new Uint8Array();
    checkWhole(before.length + added.length, place, deps.settings);
    const bytes = new Uint8Array(before.length + added.length);
    bytes.set(before);
    bytes.set(added, before.length);
    await writePlace(place, { bytes, old: old && { ...old, bytes: undefined }, deps });
    return { path: place.label, bytes: bytes.length, created: !old };
  }, { most: (before) => before + size, signal: deps.signal, run: deps.run });
}

/** Replaces a text that must occur exactly, and once unless `all` is set. */
export async function edit(args: Args<typeof EDIT>, deps: ChangeDeps) {
  const place = await deps.folders.writable(args.path, "edit");
  const size = checkSize(args.new, place, deps.settings);
  const growth = Math.max(0, size - Buffer.byteLength(args.old));
  const most = (before: number) => {
    const times = args.all ? before / (Buffer.byteLength(args.old) || 1) : 1;
    return before + Math.min(times, MOST_REPLACED) * growth;
  };
  return await deps.locks.run(place.path, async () => {
    const old = await current(place, deps.settings);
    if (!old) throw failed(place, "no such file: make it with file.write");
    if (typeof old.decoded === "string") throw failed(place, old.decoded);
    const { text } = old.decoded;
    const file = { ...old.decoded, size: old.bytes.length };
    const { count, lines, after } = await replaceExact(file, args, { place, ...deps });
    const bytes = encodeText({ ...old.decoded, text: after });
    if (typeof bytes === "string") throw failed(place, bytes);
    const diff = await diffOf(place.label, text, after);
    const backup = args.dry_run ? null : await writePlace(place, { bytes, old, deps });
    return {
      path: place.label,
      replaced: count,
      lines,
      diff,
      backup,
      dry_run: args.dry_run,
    };
  }, { most, signal: deps.signal, run: deps.run });
}

async function replaceExact(
  { text, encoding, size }: FileText & { readonly size: number },
  args: Args<typeof EDIT>,
  { place, settings, signal }: Pick<ChangeDeps, "settings" | "signal"> & { readonly place: Place },
) {
  let { old, new: instead } = args;
  if (old === "") throw failed(place, "old is empty: give the text to replace");
  if (old === instead) throw failed(place, "old and new are the same");
  for (const [name, part] of Object.entries({ old, new: instead })) {
    if (!part.isWellFormed()) throw failed(place, `${name} has half of a character: give it whole`);
  }
  const most = MOST_REPLACED + 1;
  let places = await occurrencesOf(old, { text, most, signal });
  if (places.length === 0 && text.includes("\r\n") && !old.includes("\r")) {
    old = old.replaceAll("\n", "\r\n");
    instead = instead.replaceAll(/\r?\n/g, "\r\n");
    places = await occurrencesOf(old, { text, most, signal });
  }
  const count = places.length;
  if (count === 0) {
    throw failed(
      place,
      "old is not in it: it must match exactly, white space included: read it again",
    );
  }
  if (count > MOST_REPLACED) {
    throw failed(place, `old is in it more than ${MOST_REPLACED} times: give more of the text`);
  }
  const lines = await linesOf(places.slice(0, MOST_LINES), { text, signal });
  if (count > 1 && !args.all) {
    throw failed(
      place,
      `old is in it ${count} times, at lines ${lines.slice(0, 10).join(", ")}: give more of the ` +
        "text around it, or pass all=true",
    );
  }
  const growth = encodedSize(instead, encoding) - encodedSize(old, encoding);
  checkWhole(size + count * growth, place, settings);
  const kept = [0, ...places.map((at) => at + old.length)].map((from, index) =>
    text.slice(from, places[index])
  );
  return { count, lines, after: kept.join(instead) };
}

/** Line numbers of offsets in a text. */
async function linesOf(
  places: readonly number[],
  { text, signal }: { readonly text: string; readonly signal: AbortSignal },
): Promise<number[]> {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (const at of places) {
    line += await countEnds(text.slice(from, at), signal);
    lines.push(line);
    from = at;
  }
  return lines;
}

interface Old {
  readonly bytes: Uint8Array;
  readonly decoded: FileText | string;
  readonly info: Deno.FileInfo;
}

async function current(place: Place, settings: FileSettings): Promise<Old | undefined> {
  const info = await Deno.lstat(place.path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  });
  if (!info) return undefined;
  const bytes = await readBytes(place, settings.maxFileBytes);
  return { bytes, info, decoded: decodeText(bytes, "auto") };
}

interface WriteParts {
  readonly bytes: Uint8Array;
  readonly old: (Pick<Old, "info"> & Partial<Old>) | undefined;
  readonly deps: ChangeDeps;
}

/** Writes the file; returns the backup of the old one. */
async function writePlace(place: Place, { bytes, old, deps }: WriteParts): Promise<string | null> {
  const keeps = deps.settings.backup && old?.bytes;
  const backup = keeps ? await (await deps.trash()).keep(keeps, place) : null;
  deps.signal.throwIfAborted();
  if (!old) await makeFolders(folderOf(place));
  await deps.folders.check(place, "write");
  await inFolder(place, async (path) => {
    if (old) await checkUnchanged(path, old.info, place);
    await replaceBytes(path, bytes, {
      mode: old?.info.mode ?? undefined,
      replace: old !== undefined,
    });
  });
  return backup;
}

async function checkUnchanged(path: string, info: Deno.FileInfo, place: Place): Promise<void> {
  const now = await Deno.lstat(path);
  if (now.ino === info.ino && now.size === info.size && +(now.mtime ?? 0) === +(info.mtime ?? 0)) {
    return;
  }
  throw new PackError(
    "tool_error",
    `Cannot write "${place.label}": it has changed meanwhile: retry`,
    { retryable: true },
  );
}

/** Bytes of a text that is not too large. */
function checkSize(text: string, place: Place, { maxTextBytes }: FileSettings): number {
  const size = Buffer.byteLength(text);
  if (size <= maxTextBytes) return size;
  const why = `the text has ${size} bytes, more than ${maxTextBytes}`;
  throw new PackError("too_large", `Cannot write "${place.label}": ${why}: write it in parts`);
}

/** Refuses a file that could not be read again. */
function checkWhole(size: number, place: Place, { maxFileBytes }: FileSettings): void {
  if (size <= maxFileBytes) return;
  const message = `Cannot write "${place.label}": it would have ${size} bytes, more than ` +
    `${maxFileBytes}: write another file, or raise packs.file.max_file_mb`;
  throw new PackError("too_large", message);
}

function failed(place: Place, why: string): PackError {
  return new PackError("tool_error", `Cannot edit "${place.label}": ${why}`);
}
