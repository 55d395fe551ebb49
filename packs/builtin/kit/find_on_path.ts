/** Programs by their name, as a person's shell would find them. */

import { delimiter, isAbsolute, join } from "node:path";
import { findProgram } from "#sandbox";

export interface PathOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Nothing in this folder is taken for a program: it is what programs work on. */
  readonly project: string;
}

/** The path of a program in one of the system's folders or on `PATH`, or undefined. */
export function findOnPath(name: string, options: PathOptions): string | undefined {
  const { environment, project } = options;
  const known = findProgram(name);
  if (known !== undefined) return known;
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) =>
    isAbsolute(folder) && !`${folder}/`.startsWith(`${project}/`)
  );
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && ((mode ?? 0o111) & 0o111) !== 0;
  } catch {
    // Not there.
    return false;
  }
}
