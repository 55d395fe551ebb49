/** The files that the gateway was configured by, wherever they lie: who changes one chooses the
 * programs that it starts, and what may be called. */

import { basename, dirname, join, resolve } from "node:path";

/** Absolute paths, also of files that are not there yet. */
export interface OwnFiles {
  /** The configuration, with what it includes. */
  readonly config: readonly string[];
  /** Those with secrets, which are not read either. */
  readonly closed: readonly string[];
}

export const NO_OWN_FILES: OwnFiles = { config: [], closed: [] };

/** Whether one of these is the path itself. */
export async function isOneOf(path: string, files: readonly string[]): Promise<boolean> {
  return (await everyPath(files)).includes(path.toLowerCase());
}

/** Whether one of these lies below the path. */
export async function isAbove(path: string, files: readonly string[]): Promise<boolean> {
  const from = `${path.toLowerCase()}/`;
  return (await everyPath(files)).some((file) => file.replaceAll("\\", "/").startsWith(from));
}

/** Where they are, links followed, for who compares paths of that kind. */
export async function realPaths(files: readonly string[]): Promise<string[]> {
  return await Promise.all(files.map((file) => Deno.realPath(file).catch(() => file)));
}

/** As they are named, and as they are found through links: a link in the way may be replaced too.
 * Lower case, because some file systems know none. */
async function everyPath(files: readonly string[]): Promise<string[]> {
  const paths = await Promise.all(files.map(async (file) => {
    const folder = await Deno.realPath(dirname(file)).catch(() => resolve(dirname(file)));
    const inside = join(folder, basename(file));
    return [file, inside, await Deno.realPath(file).catch(() => inside)];
  }));
  return paths.flat().map((path) => path.toLowerCase());
}
