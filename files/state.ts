/** Folders that Toolscript keeps its state in: the user's own, closed to others, behind no link. */

import { basename, dirname, join, relative, sep } from "node:path";
import { distrustOfEntry } from "./ownership.ts";

export interface StateOptions {
  /** The folder that it lies in; links that lead there are the user's business. */
  readonly root: string;
}

/** Makes a folder of state below `root`, 0700. Throws where it, or a folder on the way, is a link or
 * may be another user's.
 *
 * @example
 * ```ts
 * import { openStateFolder } from "#files";
 *
 * const root = Deno.makeTempDirSync();
 * openStateFolder(`${root}/.onetool/tmp`, { root });
 * ```
 */
export function openStateFolder(folder: string, { root }: StateOptions): void {
  Deno.mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const path of between(root, folder)) {
    try {
      Deno.mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
    const info = Deno.lstatSync(path);
    if (!info.isDirectory || (path === folder && info.uid !== Deno.uid())) throw notOwn(path);
    if (path !== folder) check(path, info);
    else if (info.mode !== null && (info.mode & 0o077) !== 0) Deno.chmodSync(path, 0o700);
  }
}

/** The first link among what lies between `root` and `path`, `path` included; undefined where there
 * is none, or where `path` is not below `root`. */
export function linkBelow(path: string, { root }: StateOptions): string | undefined {
  return between(root, path).find((entry) => {
    try {
      return Deno.lstatSync(entry).isSymlink;
    } catch {
      // Not there yet.
      return false;
    }
  });
}

function between(root: string, path: string): string[] {
  const way = relative(root, path);
  if (way === "" || way === ".." || way.startsWith(`..${sep}`)) return [];
  const names = way.split(sep);
  return names.map((_, at) => join(root, ...names.slice(0, at + 1)));
}

function check(path: string, info: Deno.FileInfo): void {
  const problem = distrustOfEntry(info, path);
  if (problem) throw new Error(`Cannot keep state in "${path}": ${problem.why}: ${problem.fix}`);
}

function notOwn(path: string): Error {
  const why = `"${basename(path)}" in "${dirname(path)}" is not your own folder`;
  return new Error(`Cannot keep state there: ${why}: remove it`);
}
