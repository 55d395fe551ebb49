/** Copies of clients' files that git does not add where it does not add the files themselves. */

import { join } from "node:path";
import { linkBelow, readOwn, realPathOf, writeWhole } from "#files";
import { gitExposure, repositoriesOf } from "../init/secret_keeper.ts";
import { FileProblem } from "./client_file.ts";

const RULE = "*.before-toolscript";

/** The file and its copy. */
export interface CopyPaths {
  readonly path: string;
  readonly backup: string;
}

/** Throws `FileProblem` where git would add the copy alone, and its list for this clone cannot be
 * written. */
export function checkExclude(paths: CopyPaths): void {
  if (isExposed(paths)) openExclude(paths);
}

/** Adds the copies to `.git/info/exclude` where git would add this copy alone. Throws `FileProblem`
 * where git would still do so. */
export function excludeCopy(paths: CopyPaths): void {
  if (!isExposed(paths)) return;
  const { exclude, root, text } = openExclude(paths);
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  if (!text.split(/\r?\n/).includes(RULE)) writeWhole(exclude, `${text}${gap}${RULE}\n`, { root });
  if (isExposed(paths)) throw exposed(paths);
}

function isExposed({ path, backup }: CopyPaths): boolean {
  return gitExposure(realPathOf(path)) === undefined && gitExposure(backup) !== undefined;
}

function openExclude(paths: CopyPaths) {
  const root = repositoriesOf(paths.backup)[0] ?? "";
  const exclude = join(root, ".git", "info", "exclude");
  const own = readOwn(exclude);
  // In a worktree `.git` is a file.
  const isPlain = Deno.lstatSync(join(root, ".git")).isDirectory &&
    linkBelow(exclude, { root }) === undefined;
  if (own.kind === "refused" || !isPlain) throw exposed(paths);
  return { exclude, root, text: own.kind === "text" ? own.text : "" };
}

function exposed({ backup }: CopyPaths): FileProblem {
  return new FileProblem(`git would add its copy "${backup}": add "${RULE}" to .gitignore`);
}
