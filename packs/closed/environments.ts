/** Virtual environments of Python, and those of conda, under any name. */

import { join } from "node:path";
import { type LinkPlaces, searchBase } from "./closed_links.ts";
import { isBelow } from "./names.ts";

/** Entries that belong to an environment. */
const PARTS = ["bin", "lib", "lib64", "scripts", "pyvenv.cfg", "conda-meta"];

/** Folders with an environment; of one that holds a folder that programs may use, what belongs to it. */
export async function environmentsIn(places: LinkPlaces): Promise<string[]> {
  const { bases } = places;
  const folders: string[] = [];
  for (const base of bases) folders.push(...(await searchBase(base, places)).environments);
  return folders.flatMap((folder) => {
    if (!bases.some((base) => isBelow(base, folder))) return folder;
    return PARTS.map((name) => join(folder, name));
  });
}
