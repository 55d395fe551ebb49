/** Links in a project, which may be a clone of a stranger's: they may lead anywhere. */

import { basename, dirname, join, resolve } from "node:path";
import { attempt } from "#base";
import { isInside } from "./project_file.ts";

const MOST_LINKS = 40;

/** Real path of the outermost repository around a project that does not hold the home folder, else of the
 * project. */
export function cloneOf(project: string, home: string): string {
  const end = realPathOf(home);
  let clone = realPathOf(project);
  for (let at = clone; at !== end && at !== dirname(at); at = dirname(at)) {
    if (attempt(() => Deno.lstatSync(join(at, ".git")))) clone = at;
  }
  return clone;
}

/** The path with its links followed, also that of a missing file. */
export function realPathOf(path: string): string {
  return attempt(() => Deno.realPathSync(path)) ?? join(realPathOf(dirname(path)), basename(path));
}

/** The first link in a clone on the way to a path, whatever other links lead into the clone; undefined
 * without one. */
export function linkInClone(path: string, clone: string, left = MOST_LINKS): string | undefined {
  if (attempt(() => Deno.realPathSync(path)) === path || dirname(path) === path) return undefined;
  const before = linkInClone(dirname(path), clone, left);
  if (before !== undefined) return before;
  const folder = realPathOf(dirname(path));
  const entry = join(folder, basename(path));
  const target = attempt(() => Deno.readLinkSync(entry));
  if (target === undefined) return undefined;
  if (left === 0 || isInside(clone, entry)) return entry;
  return linkInClone(resolve(folder, target), clone, left - 1);
}
