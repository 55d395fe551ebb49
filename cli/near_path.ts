/** Paths as a person reads them. */

import { relative } from "node:path";

/** The path of a file relative to `cwd`, where it lies below it. */
export function nearPath(file: string, cwd: string): string {
  const near = relative(cwd, file);
  return near === "" || near.startsWith("..") ? file : near;
}
