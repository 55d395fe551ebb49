/** Version managers (asdf, mise, pyenv and the like): their programs on `PATH` stand for others, and
 * files of the folder that they start in say for which. Some may name a folder of the project. */

import { readdirSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { attempt } from "#base";
import { isSameFolder } from "#files";
import { languageOfInterpreter, unversioned } from "./interpreters.ts";

const FILE =
  /^(?:\.tool-versions|\.[a-z]+-version|\.nvmrc|\.prototools|\.sdkmanrc|\.volta|\.?(?:mise|miserc|rtx)(?:\..+)?)$/is;
/** Below a folder where mise looks as well. */
const SETTINGS = ".config";
/** Programs that managers stand for; others start them. */
const USUAL = ["node", "python3", "python", "ruby"];

export interface StartPlace {
  readonly path: string | undefined;
  readonly home: string | undefined;
  /** Folder of the start. */
  readonly cwd: string;
  /** Program that is started. */
  readonly command?: string;
}

/** Returns true where the folder, or one above it below the home folder, chooses what the programs of
 * a version manager on `path` run, or where the folders above cannot be told. */
export function choosesPrograms({ path = "", home, cwd, command = "" }: StartPlace): boolean {
  const names = [...USUAL, command].filter((name) => name !== "" && !/[\\/]/.test(name));
  if (!path.split(delimiter).some((folder) => isManaged(folder, names))) return false;
  // Its real path may be no UTF-8.
  const real = attempt(() => realpathSync(cwd));
  return real === undefined || [...new Set([cwd, real])].some((place) => hasFile(place, home));
}

/** A path without the folders of version managers. */
export function withoutManagers(path: string): string {
  return path.split(delimiter).filter((folder) => !isManaged(folder, USUAL)).join(delimiter);
}

function isManaged(folder: string, names: readonly string[]): boolean {
  return basename(folder) === "shims" || names.some((name) => standsForOther(folder, name));
}

/** True for a link to a program of another name: mise and Volta go by the name that they are started by. */
function standsForOther(folder: string, name: string): boolean {
  const target = targetOf(join(folder, name));
  const language = languageOfInterpreter(name);
  const isSame = unversioned(target) === unversioned(name) ||
    (language !== undefined && languageOfInterpreter(target) === language);
  return !isSame;
}

/** Name of what a program leads to, its own where nothing is; empty where it cannot be told. */
function targetOf(path: string): string {
  try {
    return basename(realpathSync(path));
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error &&
      (error.code === "ENOENT" || error.code === "ENOTDIR");
    return isMissing ? basename(path) : "";
  }
}

function hasFile(cwd: string, home: string | undefined): boolean {
  for (let at = cwd; home === undefined || !isSameFolder(at, home); at = dirname(at)) {
    const names = namesIn(at);
    const below = names.includes(SETTINGS) ? namesIn(join(at, SETTINGS)) : [];
    if ([...names, ...below].some((name) => FILE.test(name))) return true;
    if (dirname(at) === at) break;
  }
  return false;
}

function namesIn(folder: string): readonly string[] {
  // A folder that cannot be listed may hold such a file.
  return attempt(() => readdirSync(folder), [".tool-versions"]);
}
