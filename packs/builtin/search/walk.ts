/** Walks a folder in the order of names, without following links. */

import { attempt } from "#base";
import { isIgnored, type Level, levelOf, levelsAbove } from "./ignore_rules.ts";
import { isUnchanged } from "./paths.ts";
import type { Kind } from "./protocol.ts";

export interface WalkOptions {
  readonly hidden: boolean;
  readonly ignore: boolean;
  /** Maximum depth; 1 for the entries of the folder itself. */
  readonly depth?: number;
}

export interface Walked {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  readonly kind: Kind;
}

/** Yields every entry below a folder, a folder before its entries. Skips `.git` and folders that
 * cannot be read. */
export function* walk(root: string, options: WalkOptions): Generator<Walked> {
  const above = options.ignore ? levelsAbove(root) : undefined;
  yield* below(root, { ...options, depth: options.depth ?? Infinity }, above);
}

function* below(
  folder: string,
  options: Required<WalkOptions>,
  above: Level | undefined,
): Generator<Walked> {
  const entries = entriesOf(folder);
  const names = new Set(entries.map(({ name }) => name));
  const level = options.ignore ? levelOf(folder, names, above) : undefined;
  const deeper = { ...options, depth: options.depth - 1 };
  const prefix = folder === "/" ? "/" : `${folder}/`;
  for (const entry of entries) {
    const { name } = entry;
    if (name === ".git" || (!options.hidden && name.startsWith("."))) continue;
    const path = prefix + name;
    if (level && isIgnored(level, path, entry.isDirectory)) continue;
    yield { path, name, kind: kindOf(entry) };
    if (entry.isDirectory && deeper.depth > 0) yield* below(path, deeper, level);
  }
}

function entriesOf(folder: string): Deno.DirEntry[] {
  // The folder is gone, or this user may not read it.
  const entries = attempt(() => [...Deno.readDirSync(folder)], []);
  return isUnchanged(folder) ? entries.sort((a, b) => a.name < b.name ? -1 : 1) : [];
}

/** Kind of an entry. */
export function kindOf(entry: Pick<Deno.DirEntry, "isFile" | "isDirectory" | "isSymlink">): Kind {
  if (entry.isSymlink) return "link";
  if (entry.isDirectory) return "folder";
  return entry.isFile ? "file" : "other";
}
