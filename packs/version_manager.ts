/** Version managers (asdf, mise, pyenv and the like): their programs on `PATH` stand for others, and
 * files of the folder that they start in say for which. Some may name a folder of the project. */

import { existsSync, readdirSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { attempt } from "#base";
import { isSameFolder } from "#files";

const FILE =
  /^(?:\.tool-versions|\.[a-z]+-version|\.nvmrc|\.prototools|\.sdkmanrc|\.?(?:mise|miserc|rtx)(?:\..+)?)$/i;
/** Where mise looks as well. */
const BELOW = [join(".config", "mise"), join(".config", "mise.toml")];

export interface StartPlace {
  readonly path: string | undefined;
  readonly home: string | undefined;
  /** Folder of the start. */
  readonly cwd: string;
}

/** Returns true where the folder, or one above it below the home folder, chooses what the programs of
 * a version manager on `path` run. */
export function choosesPrograms({ path = "", home, cwd }: StartPlace): boolean {
  if (!path.split(delimiter).some((folder) => basename(folder) === "shims")) return false;
  for (let at = cwd; home === undefined || !isSameFolder(at, home); at = dirname(at)) {
    // A folder that cannot be listed may hold one.
    const names = attempt(() => readdirSync(at), [".tool-versions"]);
    if (names.some((name) => FILE.test(name))) return true;
    if (BELOW.some((name) => existsSync(join(at, name)))) return true;
    if (dirname(at) === at) break;
  }
  return false;
}
