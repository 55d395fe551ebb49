/** Virtual environments of Python, and those of conda, under any name. */

import { join } from "node:path";
import { HOME_LEVELS } from "./closed_elsewhere.ts";
import type { LinkPlaces } from "./closed_links.ts";
import { isBelow } from "./names.ts";

/** Entries that belong to an environment. */
const PARTS = ["bin", "lib", "lib64", "scripts", "pyvenv.cfg", "conda-meta"];

/** Folders with an environment; of one that holds a folder that programs may use, what belongs to it. */
export async function environmentsIn({ bases, home, search }: LinkPlaces): Promise<string[]> {
  const folders: string[] = [];
  for (const base of bases) {
    const isAround = isBelow(home, base);
    const { environments } =
      await (isAround ? search.levels(base, HOME_LEVELS) : search.below(base));
    folders.push(...environments);
  }
  return folders.flatMap((folder) => {
    if (!bases.some((base) => isBelow(base, folder))) return folder;
    return PARTS.map((name) => join(folder, name));
  });
}
