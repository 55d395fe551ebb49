/** `file.read` and `file.info`. */

import type { Folders } from "../kit/mod.ts";
import { readReason } from "../../closed/mod.ts";
import { PackError } from "../../errors.ts";
import { kindOf } from "../search/walk.ts";
import { readBytes } from "./held.ts";
import { countLines, lineStart } from "./lines.ts";
import type { FileSettings } from "./settings.ts";
import { decodeText, type ENCODINGS } from "./text.ts";

export interface ReadArgs {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
  readonly numbered: boolean;
  readonly encoding: (typeof ENCODINGS)[number];
}

/** A page of lines. */
export async function readPage(args: ReadArgs, folders: Folders, settings: FileSettings) {
  const place = await folders.existing(args.path, "read");
  const bytes = await readBytes(place, settings.maxFileBytes);
  const decoded = decodeText(bytes, args.encoding);
  if (typeof decoded === "string") {
    throw new PackError("tool_error", `Cannot read "${place.shown}": ${decoded}`);
  }
  const page = await cut(decoded.text, args, settings.maxTextBytes);
  return { path: place.shown, ...page, encoding: decoded.encoding, size: bytes.length };
}

/** Lines with what ends them, so that they join to the text they came from. */
async function cut(text: string, args: ReadArgs, maxLength: number) {
  const { offset, limit, numbered } = args;
  const total = await countLines(text);
  const from = offset < 0 ? Math.max(0, total + offset) : Math.max(0, offset - 1);
  const shown: string[] = [];
  let length = 0;
  let at = await lineStart(text, from);
  while (at < text.length && shown.length < limit) {
    const end = text.indexOf("\n", at);
    const next = end < 0 ? text.length : end + 1;
    const line = text.slice(at, next);
    const number = from + shown.length + 1;
    const whole = numbered ? `${String(number).padStart(6)}\t${line}` : line;
    // One line that is too long for a page of its own is cut, so that every page goes on.
    const put = shown.length === 0 ? whole.slice(0, maxLength).toWellFormed() : whole;
    length += put.length;
    if (length > maxLength) break;
    shown.push(put);
    at = next;
  }
  const to = from + shown.length;
  return {
    text: shown.join(""),
    first_line: from + 1,
    last_line: to,
    total_lines: total,
    has_more: to < total,
  };
}

/** What is known of a file or folder without reading it. */
export async function describe(path: string, folders: Folders) {
  const place = await folders.existing(path, "look at");
  const info = await Deno.lstat(place.path);
  return {
    path: place.shown,
    absolute: place.path,
    kind: kindOf(info),
    size: info.size,
    modified: info.mtime?.toISOString() ?? null,
    created: info.birthtime?.toISOString() ?? null,
    mode: info.mode === null ? null : (info.mode & 0o7777).toString(8).padStart(4, "0"),
  };
}

export interface ListArgs {
  readonly path: string;
  readonly hidden: boolean;
  readonly limit: number;
}

/** The entries of one folder, in the order of their names. */
export async function list(args: ListArgs, folders: Folders, signal: AbortSignal) {
  const place = await folders.existing(args.path, "list");
  const found: Deno.DirEntry[] = [];
  const closed = await folders.readRules();
  for await (const entry of Deno.readDir(place.path)) {
    signal.throwIfAborted();
    if (!args.hidden && entry.name.startsWith(".")) continue;
    if (readReason(`${place.path}/${entry.name}`, closed) === undefined) found.push(entry);
  }
  found.sort((a, b) => a.name < b.name ? -1 : 1);
  const entries = await Promise.all(
    found.slice(0, args.limit).map(async (entry) => {
      // One that has gone meanwhile has no size.
      const info = await Deno.lstat(`${place.path}/${entry.name}`).catch(() => undefined);
      const modified = info?.mtime?.toISOString() ?? null;
      return { name: entry.name, kind: kindOf(entry), size: info?.size ?? 0, modified };
    }),
  );
  return { path: place.shown, entries, total: found.length, more: found.length > args.limit };
}
