/** Folders that interpreters load from: virtual environments of Python, those of conda, under any name,
 * and what lies around an interpreter. */

import { dirname, join } from "node:path";
import { languageOfInterpreter } from "../interpreters.ts";
import { type LinkPlaces, searchBase } from "./closed_links.ts";
import { isBelow } from "./names.ts";

/** Entries that belong to an environment. */
const PARTS = ["bin", "lib", "lib64", "scripts", "pyvenv.cfg", "conda-meta"];

/** Folders of environments. Of one that holds a folder that programs may use, only the entries that
 * belong to the environment. */
export async function environmentsIn(places: LinkPlaces): Promise<string[]> {
  const { bases } = places;
  const folders: string[] = [];
  for (const base of bases) folders.push(...(await searchBase(base, places)).environments);
  return folders.flatMap((folder) => {
    if (!bases.some((base) => isBelow(base, folder))) return folder;
    return PARTS.map((name) => join(folder, name));
  });
}

/** Folders beside that of an interpreter from which it loads, missing ones too: `etc/npmrc`,
 * `lib/python313.zip`. */
const AROUND = ["etc", "include", "lib", "lib64", "libexec", "share"];
/** Limit of the entries that are checked in a folder of programs. A folder with more counts as one
 * with an interpreter. */
const MOST_PROGRAMS = 10_000;

/** Folders from which the interpreters in a folder of programs load, if that folder lies in one of
 * `bases`, the folders that programs may use. Folders that hold a base are left out. */
export async function aroundInterpreters(
  folder: string,
  bases: readonly string[],
): Promise<string[]> {
  const isInside = bases.some((base) => folder !== base && isBelow(folder, base));
  if (!isInside || !await hasInterpreter(folder)) return [];
  return AROUND.map((name) => join(dirname(folder), name))
    .filter((path) => !bases.some((base) => isBelow(base, path)));
}

async function hasInterpreter(folder: string): Promise<boolean> {
  let count = 0;
  try {
    for await (const { name } of Deno.readDir(folder)) {
      const language = languageOfInterpreter(name);
      if (++count > MOST_PROGRAMS || (language && language !== "shell")) return true;
    }
  } catch {
    // It is no folder, or one that cannot be read.
  }
  return false;
}
