/** Sources in a pack's folder, and their hash. */

import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { attempt } from "#base";
import type { PackFile } from "../types.ts";

export interface PackContents {
  /** Text of the pack's own file. */
  readonly text: string;
  /** Relative path → text, with the pack's own file. */
  readonly files: ReadonlyMap<string, string>;
  /** Hash of all files. */
  readonly hash: string;
  /** Stamp of these files from before each was read: one that changes meanwhile has another. */
  readonly stamp: string;
}

const MOST_FILES = 500;
const MOST_BYTES = 4 * 1024 * 1024;
const SOURCE = /\.(?:[cm]?[jt]s|py|json)$/;

/** Reads the sources. Throws where the pack's own file is unreadable. */
export function readContents({ file, folder, language }: PackFile): PackContents {
  const stamps = [stampAt(file)];
  const text = Deno.readTextFileSync(file);
  const files = new Map([[relative(folder, file), text]]);
  let left = MOST_BYTES;
  for (const path of sources(folder)) {
    const name = relative(folder, path);
    if (files.has(name) || files.size >= MOST_FILES) continue;
    const stamp = stampAt(path);
    const small = readSmall(path, left);
    if (small === undefined) continue;
    left -= small.length;
    files.set(name, small);
    stamps.push(stamp);
  }
  const hash = createHash("sha256").update(language);
  for (const [name, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`\0${name}\0${text.length}\0`).update(text);
  }
  return { text, files, hash: hash.digest("hex"), stamp: stamps.join("\n") };
}

/** Cheap stamp that changes with any of these files. */
export function stampOf({ folder }: PackFile, names: Iterable<string>): string {
  return [...names].map((name) => stampAt(join(folder, name))).join("\n");
}

function stampAt(path: string): string {
  // Removed, which is a change too.
  const info = attempt(() => Deno.statSync(path));
  return info ? `${info.mtime?.getTime()}:${info.size}:${info.ino}` : "";
}

function* sources(folder: string, depth = 0): Generator<string> {
  if (depth > 4) return;
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, isFile, isDirectory } of entries) {
    if (name.startsWith(".") || name === "node_modules" || name === "__pycache__") continue;
    if (isDirectory) yield* sources(join(folder, name), depth + 1);
    else if (isFile && SOURCE.test(name)) yield join(folder, name);
  }
}

function readSmall(path: string, most: number): string | undefined {
  // Unreadable: the pack reports it where it needs the file.
  return attempt(() => {
    const { isFile, size } = Deno.statSync(path);
    return isFile && size <= most ? Deno.readTextFileSync(path) : undefined;
  });
}
