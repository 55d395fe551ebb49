/** `PATH` for programs that Toolscript starts, without folders where another user or the project
 * could put one. */

import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { attempt, SYSTEM_PATH } from "#base";
import { isOpenToOthers, trustsAll } from "./ownership.ts";
import { isInside } from "./project_file.ts";
import { isSameFolder } from "./same_folder.ts";
import { isMissing } from "./way.ts";

export interface SearchPathOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative entries are below; without it they are left out. */
  readonly base?: string;
  /** Project whose folders are left out, with those of the outermost repository around it. */
  readonly outside?: string;
}

/** Names that mark a folder as a repository or a project: its programs are run for it and for the
 * folders below it. */
const MARKS = [
  ".git",
  ".hg",
  ".jj",
  ".svn",
  ".onetool",
  ".mcp.json",
  "package.json",
  "node_modules",
  "deno.json",
  "deno.jsonc",
  "pyproject.toml",
  "Cargo.toml",
  "go.mod",
  "composer.json",
  "Gemfile",
];
const OF_SYSTEM = new Set(SYSTEM_PATH.split(delimiter));

/** Returns the entries of a `PATH` in which neither another user nor the project `outside` can put
 * a program; links are followed.
 *
 * @example
 * ```ts
 * import { searchPath } from "#files";
 *
 * const path = "/usr/bin:.:/home/ann/mono/node_modules/.bin";
 * const env = { HOME: "/home/ann" };
 * console.assert(searchPath(path, { env, outside: "/home/ann/mono" }) === "/usr/bin");
 * ```
 */
export function searchPath(path: string, { env, base, outside }: SearchPathOptions): string {
  const roots = outside === undefined ? [] : rootsOf(outside, env.HOME || homedir());
  const isForeign = (folder: string) => !trustsAll(env) && isOpenToOthers(folder);
  const isOfProject = (folder: string) => roots.some((root) => isWithin(folder, root));
  const entries = path.split(delimiter).flatMap((entry) => {
    if (isAbsolute(entry)) return [entry];
    return base === undefined ? [] : [resolve(base, entry)];
  });
  return entries.filter((entry) => {
    if (OF_SYSTEM.has(entry)) return true;
    return isKnown(entry) &&
      ![...spellings(entry)].some((folder) => isOfProject(folder) || isForeign(folder));
  }).join(delimiter);
}

/** The project, and the outermost repository around it. Everything is below the root: it is neither. */
function rootsOf(project: string, home: string): readonly string[] {
  const roots = [...spellings(project)].flatMap((path) => [path, outermost(path, home)]);
  return roots.filter((root) => dirname(root) !== root);
}

/** The home folder, and those above it, are no repositories: the person's own programs are there. */
function outermost(project: string, home: string): string {
  const realHome = realOf(home);
  const isEnd = (at: string) => isWithin(realHome, realOf(at)) || isSameFolder(at, home);
  let root = project;
  for (let at = project; dirname(at) !== at && !isEnd(at); at = dirname(at)) {
    // Missing, or in a folder that cannot be entered.
    if (MARKS.some((name) => attempt(() => Deno.lstatSync(join(at, name))))) root = at;
  }
  return root;
}

/** False for a folder whose real path cannot be told, as one that is not UTF-8: it may be the
 * project's. */
function isKnown(folder: string): boolean {
  try {
    return Deno.realPathSync(folder) !== "";
  } catch (error) {
    return isMissing(error, folder);
  }
}

/** A path as it is written, and with its links followed. */
function spellings(path: string): ReadonlySet<string> {
  return new Set([resolve(path), realOf(path)]);
}

function realOf(path: string): string {
  // A folder that is not there has no links.
  return attempt(() => Deno.realPathSync(path), resolve(path));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || isInside(folder, path);
}
