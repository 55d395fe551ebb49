/** Modules behind links: a program loads them by the names of the links. */

import { readlink, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { searchFolders, type Waiting } from "./folder_search.ts";
import { namesOf } from "./link_names.ts";
import { isBelow, isFilled } from "./names.ts";
import type { Programs } from "./scripts.ts";

/** Folders whose links are read elsewhere, or in which none are expected. */
const SKIPPED_FOLDERS = /^(?:node_modules|\.git|\.venv|venv|__pycache__)$/;

interface ModuleFolder extends Waiting {
  /** Ending of modules; undefined where every file may be one. */
  readonly ending?: RegExp;
}

/** Adds the targets of links among modules, and of links among these. `bases` are the folders that
 * programs may use: nothing else needs to be closed. Returns the reason why any file there may be the
 * target of another link, where there is too much to search. */
export async function addLinkedModules(
  programs: Programs,
  { bases, most }: { readonly bases: readonly string[]; readonly most: number },
): Promise<string | undefined> {
  const seen = new Set<string>();
  const unseen = ({ folder, ending }: ModuleFolder) => {
    const count = seen.size;
    return seen.add(`${folder}\0${ending?.source}`).size > count;
  };
  const start: ModuleFolder[] = [
    ...programs.modules.map(({ folder, ending }) => ({ folder, ending, top: folder })),
    ...[...programs.trees].map((folder) => ({ folder, top: folder })),
  ];
  return await searchFolders({ start: start.filter(unseen), most }, async (item, entries) => {
    const next: ModuleFolder[] = [];
    for (const { name, path, isLink } of entries) {
      const folder = { ...item, folder: path };
      if (isLink) {
        next.push(...await addTargets(await targetsOf(path, bases), folder, programs));
      } else if (!SKIPPED_FOLDERS.test(name) && !isFilled(path)) next.push(folder);
    }
    return next.filter(unseen);
  });
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
  { folder: link, ending, top }: ModuleFolder,
  { files, modules, trees }: Programs,
): Promise<ModuleFolder[]> {
  const isFile = await stat(link).then((info) => info.isFile(), () => false);
  if (isFile || ending?.test(basename(link))) {
    if (!ending || ending.test(basename(link))) { for (const name of names) files.add(name); }
    return [];
  }
  for (const folder of names) {
    if (ending) modules.push({ folder, ending });
    else trees.add(folder);
  }
  return names.map((folder) => ({ folder, ending, top }));
}
