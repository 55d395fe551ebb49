/** Programs by their name, as a shell finds them. */

import { delimiter, join } from "node:path";
import { attempt, findProgram, pathOutside } from "#base";

export interface PathOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Folder that is not searched: agent code can write there. */
  readonly project: string;
}

/** Path of a program in a system folder or on `PATH`, or undefined. */
export function findOnPath(name: string, options: PathOptions): string | undefined {
  const { environment, project } = options;
  const systemPath = findProgram(name);
  if (systemPath !== undefined) return systemPath;
  const folders = pathOutside(environment.PATH ?? "", project).split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  // No such file.
  const info = attempt(() => Deno.statSync(path));
  return info?.isFile === true && ((info.mode ?? 0o111) & 0o111) !== 0;
}
