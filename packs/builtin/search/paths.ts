/** Checks and labels of the paths that a search finds. */

import { attempt } from "#base";
import { linkReason, readReason, type ReadRules } from "../../closed/read_rules.ts";

/** Path relative to `base` if it is below it. */
export function relativeTo(path: string, base: string): string {
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;
}

/** True if a path is closed to reading. */
export function isClosed(path: string, rules: ReadRules): boolean {
  if (readReason(path, rules) !== undefined) return true;
  if (rules.inodes?.length === 0) return false;
  // The file is gone.
  return attempt(() => linkReason(Deno.lstatSync(path), rules) !== undefined, true);
}

/** True if no part of a path has become a link: files may be replaced during a search. */
export function isUnchanged(path: string): boolean {
  // The file is gone, or this user may not read it.
  return attempt(() => Deno.realPathSync(path) === path, false);
}
