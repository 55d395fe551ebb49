/** A client's file: its bytes, and changes to it that keep its mode and its links. */

import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { readOwn, writeWhole } from "#files";
import { exists } from "../paths.ts";
import type { Entry } from "./clients.ts";

const MARK = "\uFEFF";
/** Claude Code keeps its history beside the servers. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface ClientFile {
  readonly path: string;
  /** Missing where there is no file. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Without the byte order mark. */
  readonly text: string;
}

/** Reads a file. Throws `FileProblem` where it is another user's, no regular file, too
 * large or no UTF-8. */
export function readClientFile(path: string, maxBytes = MOST_BYTES): ClientFile {
  const own = readOwn(path, { maxBytes });
  if (own.kind === "missing") return { path, text: "" };
  if (own.kind === "refused") throw new FileProblem(`${own.why}: ${own.fix}`);
  const bytes = Deno.readFileSync(path);
  try {
    return { path, bytes, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    throw new FileProblem("it is not UTF-8 text");
  }
}

/** The bytes of a changed text, with the byte order mark that the file had. */
export function bytesOf(text: string, { bytes }: ClientFile): Uint8Array<ArrayBuffer> {
  const isMarked = bytes?.[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return new TextEncoder().encode(isMarked ? MARK + text : text);
}

export function hashOf(bytes: Uint8Array<ArrayBuffer>): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Writes the bytes whole: through links, with the mode that the file had. Returns the folders that
 * had to be made. */
export function writeClientFile({ path, bytes }: ClientFile, next: Uint8Array): string[] {
  if (bytes === undefined) {
    const folders = missingFolders(path);
    Deno.mkdirSync(dirname(path), { recursive: true });
    writeWhole(path, next, { root: dirname(path) });
    return folders;
  }
  const real = Deno.realPathSync(path);
  writeWhole(real, next, { root: dirname(real) });
  return [];
}

/** Removes a file, if it is there. */
export function removeFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Folders of the path that do not exist, the innermost first. */
function missingFolders(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); !exists(at); at = dirname(at)) folders.push(at);
  return folders;
}

export interface Change {
  /** Entries to write, by name. */
  readonly set: Readonly<Record<string, Entry>>;
  /** Names of entries to remove. */
  readonly remove: readonly string[];
}

/** The file does not parse, cannot be read, or has something else where its servers should be. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
}
