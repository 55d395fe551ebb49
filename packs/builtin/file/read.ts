/** `file.read`, `file.info` and `file.list`. */

import type { Caller, Folders, Place } from "../kit/mod.ts";
import { readReason } from "../../closed/mod.ts";
import { PackError } from "../../errors.ts";
import { kindOf } from "../search/walk.ts";
import { readBytes } from "./open_folder.ts";
import { countLines, lineStart } from "./lines.ts";
import type { Args, LimitedArgs, LIST, READ } from "./params.ts";
import type { FileSettings } from "./settings.ts";
import { decodeText } from "./text.ts";
import type { FileTurns } from "./turns.ts";

type ReadArgs = Args<typeof READ>;

export interface PageParts extends Caller {
  readonly folders: Folders;
  readonly settings: FileSettings;
  readonly turns: FileTurns;
}

/** Reads a page of lines. */
export async function readPage(args: ReadArgs, parts: PageParts) {
  const place = await parts.folders.existing(args.path, "read");
  const { size } = await Deno.stat(place.path);
  using _turn = await parts.turns.read(size, parts);
  return await pageOf(place, args, parts);
}

async function pageOf(place: Place, args: ReadArgs, { settings, signal }: PageParts) {
  const bytes = await readBytes(place, settings.maxFileBytes);
  const decoded = decodeText(bytes, args.encoding);
  if (typeof decoded === "string") {
    throw new PackError("tool_error", `Cannot read "${place.label}": ${decoded}`);
  }
  const page = await cut(decoded.text, args, { maxLength: settings.maxTextBytes, signal });
  return { path: place.label, ...page, encoding: decoded.encoding, size: bytes.length };
}

interface CutOptions {
  readonly maxLength: number;
  readonly signal: AbortSignal;
}

/** Cuts a page. Lines keep their ends, so pages join to the text. */
async function cut(text: string, args: ReadArgs, { maxLength, signal }: CutOptions) {
  const { offset, limit, numbered } = args;
  const total = await countLines(text, signal);
  const from = offset < 0 ? Math.max(0, total + offset) : Math.max(0, offset - 1);
  const page: string[] = [];
  let length = 0;
  let at = await lineStart(text, { before: from, signal });
  while (at < text.length && page.length < limit) {
    const end = text.indexOf("\n", at);
    const next = end < 0 ? text.length : end + 1;
    const line = text.slice(at, next);
    const number = from + page.length + 1;
    const whole = numbered ? `${String(number).padStart(6)}\t${line}` : line;
    // A line longer than a page is cut, so that every page advances.
    const part = page.length === 0 ? whole.slice(0, maxLength).toWellFormed() : whole;
    length += part.length;
    if (length > maxLength) break;
    page.push(part);
    at = next;
  }
  const to = from + page.length;
  return {
    text: page.join(""),
    first_line: from + 1,
    last_line: to,
    total_lines: total,
    has_more: to < total,
  };
}

/** Describes a file or folder by its metadata. */
export async function describe(path: string, folders: Folders) {
  const place = await folders.existing(path, "look at");
  const info = await Deno.lstat(place.path);
  return {
    path: place.label,
    absolute: place.path,
    kind: kindOf(info),
    size: info.size,
    modified: info.mtime?.toISOString() ?? null,
    created: info.birthtime?.toISOString() ?? null,
    mode: info.mode === null ? null : (info.mode & 0o7777).toString(8).padStart(4, "0"),
  };
}

/** Lists the entries of a folder by name. */
export async function list(
  args: LimitedArgs<typeof LIST>,
  folders: Folders,
  signal: AbortSignal,
) {
  const place = await folders.existing(args.path, "list");
  const visible: Deno.DirEntry[] = [];
  const closed = await folders.readNames();
  for await (const entry of Deno.readDir(place.path)) {
    signal.throwIfAborted();
    if (!args.hidden && entry.name.startsWith(".")) continue;
    if (readReason(`${place.path}/${entry.name}`, closed) === undefined) visible.push(entry);
  }
  visible.sort((a, b) => a.name < b.name ? -1 : 1);
  const entries = await Promise.all(
    visible.slice(0, args.limit).map(async (entry) => {
      // An entry that is gone by now has no size.
      const info = await Deno.lstat(`${place.path}/${entry.name}`).catch(() => undefined);
      const modified = info?.mtime?.toISOString() ?? null;
      return { name: entry.name, kind: kindOf(entry), size: info?.size ?? 0, modified };
    }),
  );
  return { path: place.label, entries, total: visible.length, more: visible.length > args.limit };
}
