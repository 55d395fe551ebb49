/** Programs of the system by name, without what an open project could put in their place. */

import { delimiter } from "node:path";
import { attempt } from "./attempt.ts";

const FOLDERS = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

/** Replaces a `PATH` of which nothing is left: with an empty one, a program would be looked up in
 * the `PATH` of this process. */
export const SYSTEM_PATH = FOLDERS.join(delimiter);

/** The path of a system program, or undefined where the system has none of that name. */
export function findProgram(name: string): string | undefined {
  const paths = FOLDERS.map((folder) => `${folder}/${name}`);
  // Most folders do not have it.
  return paths.find((path) => attempt(() => Deno.statSync(path).isFile, false));
}

/** Returns the words that start a program with at most so many bytes of data, where the system has
 * `prlimit`. */
export function withinMemory(program: string, bytes: number): readonly [string, ...string[]] {
  const prlimit = findProgram("prlimit");
  return prlimit === undefined ? [program] : [prlimit, `--data=${bytes}`, "--", program];
}
