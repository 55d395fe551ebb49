/** Modules behind links: a program loads them by the names of the links. */

import { readdir, readlink, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { namesOf } from "./link_names.ts";
import { isBelow } from "./names.ts";
import type { Programs } from "./scripts.ts";

/** Limit of entries that one search reads. */
const MOST_ENTRIES = 10_000;
/** Folders whose links are read elsewhere, or in which none are expected. */
const SKIPPED_FOLDERS = /^(?:node_modules|\.git|\.venv|venv|__pycache__)$/;

interface Waiting {
  readonly folder: string;
  /** Ending of modules; undefined where every file may be one. */
  readonly ending?: RegExp;
}

/** Adds the targets of links among modules, and of links among these. `bases` are the folders that
 * programs may use: nothing else needs to be closed. */
export async function addLinkedModules(
  programs: Programs,
  bases: readonly string[],
): Promise<void> {
  const { modules, trees } = programs;
  const waiting: Waiting[] = [...modules, ...[...trees].map((folder) => ({ folder }))];
  const seen = new Set<string>();
  let left = MOST_ENTRIES;
  // The nearest folders first: the limit leaves out the deepest.
  for (const { folder, ending } of waiting) {
    const key = `${folder}\0${ending?.source}`;
    if (seen.has(key) || left < 0) continue;
    seen.add(key);
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (left-- < 0) break;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED_FOLDERS.test(entry.name)) {
        waiting.push({ folder: path, ending });
      } else if (entry.isSymbolicLink()) {
        const targets = await targetsOf(path, bases);
        waiting.push(...await addTargets(targets, { folder: path, ending }, programs));
      }
    }
  }
}

/** Names of the target of a link that programs could change. */
async function targetsOf(link: string, bases: readonly string[]): Promise<string[]> {
  const target = await readlink(link).catch(() => undefined);
  if (target === undefined) return [];
  const names = await namesOf(resolve(link, "..", target));
  return names.filter((name) => bases.some((base) => isBelow(name, base) || isBelow(base, name)));
}

/** Adds the names of a target; returns the folders to search. */
async function addTargets(
  names: readonly string[],
  { folder: link, ending }: Waiting,
  { files, modules, trees }: Programs,
): Promise<Waiting[]> {
  const isFile = await stat(link).then((info) => info.isFile(), () => false);
  if (isFile || ending?.test(basename(link))) {
    if (!ending || ending.test(basename(link))) { for (const name of names) files.add(name); }
    return [];
  }
  const folders = names.map((folder) => ({ folder, ending }));
  for (const { folder } of folders) {
    if (ending) modules.push({ folder, ending });
    else trees.add(folder);
  }
  return folders;
}
