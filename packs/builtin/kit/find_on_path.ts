/** Programs by their name, as a shell finds them. */

import { delimiter, join } from "node:path";
import { attempt, findProgram } from "#base";
import { searchPath } from "#files";

export interface PathOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Folder that is not searched, nor a repository around it: agent code can write there. */
  readonly project: string;
}

/** Path of a program in a system folder or on `PATH`, or undefined. */
export function findOnPath(name: string, options: PathOptions): string | undefined {
  const { environment, project } = options;
  const systemPath = findProgram(name);
  if (systemPath !== undefined) return systemPath;
  const path = searchPath(environment.PATH ?? "", { env: environment, outside: project });
  return path.split(delimiter).filter(Boolean).map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  // No such file.
  const info = attempt(() => Deno.statSync(path));
  return info?.isFile === true && ((info.mode ?? 0o111) & 0o111) !== 0;
}
