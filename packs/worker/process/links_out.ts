/** Links that are closed for one permission. */

import { keyOf } from "../../closed/names.ts";
import { foldersAbove, holds, type Link, type RealReach } from "./real_reach.ts";

/** Links that lead out of the folders, into or above a closed name, or to a folder with a closed link:
 * what is closed there would be open by another name. */
export function linksOut(reach: RealReach, scanned: readonly Link[]): Link[] {
  const { isAll, folders, own, state } = reach;
  const usable = [...folders, ...own];
  const links = [...scanned.filter(({ real }) => isAll || holds(usable, real)), ...reach.links];
  const unknown = links.filter(({ target }) => target === undefined).map(({ real }) => real);
  const inside = new Set([...state, ...unknown].map(keyOf));
  const above = new Set([...inside].flatMap(foldersAbove));

  function leadsOut({ real, target }: Link): boolean {
    if (target === undefined) return true;
    const key = keyOf(target);
    if (above.has(key)) return true;
    if ([key, ...foldersAbove(key)].some((folder) => inside.has(folder))) return true;
    // Links in its own folder belong to the pack, as the code there.
    return !isAll && !holds(own, real) && !holds(usable, target);
  }

  const byTarget = Map.groupBy(links, ({ target }) => target && keyOf(target));
  const closed = new Set(links.filter(leadsOut));
  for (const { real } of closed) {
    for (const folder of foldersAbove(keyOf(real))) {
      for (const alias of byTarget.get(folder) ?? []) closed.add(alias);
      byTarget.delete(folder);
    }
  }
  return [...closed];
}
