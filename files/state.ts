/** Folders for the state of Toolscript: the user's own, closed to others, not behind a link. */

import { basename, dirname, join, relative, sep } from "node:path";
import { attempt } from "#base";
import { type Distrust, distrustOfEntry } from "./ownership.ts";

export interface StateOptions {
  /** The folder that it lies in, made 0700 where it is missing; links above it are not checked. */
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
  openOwnFolder(dirname(folder), { root, mode: 0o700 });
  const { uid, mode } = makeFolder(folder, 0o700);
  if (uid !== Deno.uid()) throw notOwn(folder);
  if (mode !== null && (mode & 0o077) !== 0) Deno.chmodSync(folder, 0o700);
}

/** Reason why `openStateFolder` would refuse the owner or the mode of a folder, with the path; makes
 * nothing, and what is missing passes. */
export function stateDistrust(
  folder: string,
  { root }: StateOptions,
): Distrust & { readonly path: string } | undefined {
  for (const path of between(root, dirname(folder))) {
    // It will be made.
    const distrust = attempt(() => distrustOfEntry(Deno.lstatSync(path), path));
    if (distrust) return { ...distrust, path };
  }
  const uid = attempt(() => Deno.lstatSync(folder).uid, Deno.uid()); // as above
  if (uid === Deno.uid()) return undefined;
  return { why: "it is not your own folder", fix: "Remove it", path: folder };
}

/** Makes a folder below `root`. Throws where it, or one on the way, is a link or open to others. */
export function openOwnFolder(
  folder: string,
  { root, mode = 0o777 }: StateOptions & { readonly mode?: number },
): void {
  Deno.mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const path of between(root, folder)) {
    const problem = distrustOfEntry(makeFolder(path, mode), path);
    if (problem) throw new Error(`Cannot write to "${path}": ${problem.why}: ${problem.fix}`);
  }
}

function makeFolder(path: string, mode: number): Deno.FileInfo {
  try {
    Deno.mkdirSync(path, { mode });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  const info = Deno.lstatSync(path);
  if (!info.isDirectory) throw notOwn(path);
  return info;
}

/** The first link between `root` and `path`, `path` included; undefined without one, or where `path`
 * is not below `root`. */
export function linkBelow(path: string, { root }: StateOptions): string | undefined {
  return between(root, path).find((entry) => {
    // It does not exist yet.
    return attempt(() => Deno.lstatSync(entry).isSymlink, false);
  });
}

function between(root: string, path: string): string[] {
  const way = relative(root, path);
  if (way === "" || way === ".." || way.startsWith(`..${sep}`)) return [];
  const names = way.split(sep);
  return names.map((_, at) => join(root, ...names.slice(0, at + 1)));
}

function notOwn(path: string): Error {
  const why = `"${basename(path)}" in "${dirname(path)}" is not your own folder`;
  return new Error(`Cannot write there: ${why}: remove it`);
}
