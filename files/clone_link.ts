/** Links in a project, which may be a clone of a stranger's: they may lead anywhere. */

import { basename, dirname, join } from "node:path";
import { attempt } from "#base";
import { isInside } from "./project_file.ts";
import { isMissing, MOST_LINKS, stepsTo } from "./way.ts";

/** Real path of the outermost repository that holds the project but not the home folder; without
 * one, of the project. */
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

export interface CloneLink {
  readonly path: string;
  /** False for an entry that cannot be looked at: it may be such a link, or lead to one. */
  readonly isRead: boolean;
}

/** The first link in a clone on the way to a path, even if other links lead into the clone;
 * undefined without one. */
export function linkInClone(path: string, clone: string): CloneLink | undefined {
  if (attempt(() => Deno.realPathSync(path)) === path) return undefined;
  for (const { path: at, next, links, error } of stepsTo(path)) {
    if (error !== undefined && !isMissing(error, at)) return { path: at, isRead: false };
    if (next === undefined) continue;
    if (links > MOST_LINKS || isInside(clone, at)) return { path: at, isRead: true };
  }
  return undefined;
}
