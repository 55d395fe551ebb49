/** Paths: as a person reads them, and what is there. */

import { relative } from "node:path";
import { attempt } from "#base";

/** The path of a file relative to `cwd`, where it lies below it. */
export function nearPath(file: string, cwd: string): string {
  const near = relative(cwd, file);
  return near === "" || near.startsWith("..") ? file : near;
}

/** True for an existing path, even for a dangling link; false for one that cannot be looked at. */
export function exists(path: string): boolean {
  return attempt(() => Deno.lstatSync(path) !== undefined, false);
}

/** Text of a file, empty where it is missing. */
export async function readIfThere(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
