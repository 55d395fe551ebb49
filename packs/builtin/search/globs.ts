/** Which paths globs let through. */

import picomatch from "picomatch";
import { JobRefused } from "../kit/job_protocol.ts";

const MAX_GLOB = 1_000;
/** Every further one may multiply what a match takes by the length of a path. */
const MOST_STARS = 3;

/** Decides by the path below the folder that is searched, and by the name. */
export type PathFilter = (path: string, name: string) => boolean;

/** A glob without a slash is for names at any depth; one with `!` before it takes out. Without one
 * that takes in, all are in. Throws `JobRefused`. */
export function compileGlobs(globs: readonly string[]): PathFilter {
  const takeOut = globs.filter((glob) => glob.startsWith("!")).map((glob) => one(glob.slice(1)));
  const takeIn = globs.filter((glob) => !glob.startsWith("!")).map(one);
  return (path, name) =>
    (takeIn.length === 0 || takeIn.some((matches) => matches(path, name))) &&
    !takeOut.some((matches) => matches(path, name));
}

/** Whether matching takes next to nothing, whatever the path: others belong into a worker. */
export function areCheap(globs: readonly string[]): boolean {
  return globs.every((glob) =>
    /^[^()[\]{}\\]*(?:\{[^()[\]{}\\*]*\}[^()[\]{}\\]*)?$/.test(glob) &&
    glob.split(/\*+/).length - 1 <= MOST_STARS
  );
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
