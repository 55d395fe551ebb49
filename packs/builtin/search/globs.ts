/** Filters of paths by globs. */

import picomatch from "picomatch";
import { JobRefused } from "../../jobs/protocol.ts";

const MAX_GLOB = 1_000;
/** Each star may multiply the time of a match by the length of the path, `**` by its depth; of a name,
 * each star by the length of the name, and alternatives by their number. */
const MOST_STARS = 3;
const MOST_DEEP = 2;
const MOST_IN_NAME = 2;
const MOST_CHEAP = 8;
/** Longest glob that counts as cheap. */
const MOST_CHEAP_GLOB = 200;
/** Text with at most one list of alternatives, which holds no wildcards. */
const PLAIN_GLOB = /^[^()[\]{}\\]*(?:\{[^()[\]{}\\*?/]*\}[^()[\]{}\\]*)?$/;
/** Longest path that cheap globs match in little time. */
export const MOST_CHEAP_PATH = 500;

/** Decides by the path below the searched folder, and by the name. */
export type PathFilter = (path: string, name: string) => boolean;

/** Makes the filter. A glob without a slash matches names at any depth. One that begins with `!`
 * excludes; without any other glob everything else is included. Throws `JobRefused`. */
export function compileGlobs(globs: readonly string[]): PathFilter {
  const excludes = globs.filter((glob) => glob.startsWith("!")).map((glob) => one(glob.slice(1)));
  const includes = globs.filter((glob) => !glob.startsWith("!")).map(one);
  return (path, name) =>
    (includes.length === 0 || includes.some((matches) => matches(path, name))) &&
    !excludes.some((matches) => matches(path, name));
}

/** True for globs that match a path of at most `MOST_CHEAP_PATH` characters in little time. Others are
 * matched in a worker only. */
export function areCheap(globs: readonly string[]): boolean {
  return globs.length <= MOST_CHEAP && globs.every(isCheap);
}

/** True for a short glob of few stars; `?` beside a star multiplies the time as another star would. */
function isCheap(glob: string): boolean {
  if (glob.length > MOST_CHEAP_GLOB || !PLAIN_GLOB.test(glob)) return false;
  if (glob.includes("*") && glob.includes("?")) return false;
  const most = glob.includes("{") ? 1 : MOST_IN_NAME;
  return count(glob, /\*+/g) <= MOST_STARS && count(glob, /\*{2,}/g) <= MOST_DEEP &&
    glob.split("/").every((name) => name === "**" || count(name, /\*/g) <= most);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function one(glob: string): PathFilter {
  if (glob === "" || glob.length > MAX_GLOB) {
    throw new JobRefused(`a glob has 1 to ${MAX_GLOB} characters`);
  }
  const bare = glob.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "/**");
  const matches = picomatch(bare, { dot: true, nonegate: true });
  if (glob.includes("/")) return (path) => matches(path);
  return (_, name) => matches(name);
}
