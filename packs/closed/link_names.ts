/** All names that lead to a path through links: a program may use or replace any of them. */

import { dirname, isAbsolute, join, relative, resolve } from "node:path";

const MOST_LINKS = 40;
const MOST_CHARACTERS = 4_096;

/** The path, the path behind each link on its way, and last the real path, which need not exist. */
export async function namesOf(path: string): Promise<string[]> {
  const names = new Set<string>();
  let next: string | undefined = isAbsolute(path) ? resolve(path) : undefined;
  for (let links = 0; next !== undefined && links < MOST_LINKS; links++) {
    if (next.length > MOST_CHARACTERS) break;
    names.add(next);
    next = await behindFirstLink(next);
  }
  return [...names];
}

/** Real path: the last of the names. */
export async function realOf(path: string): Promise<string> {
  return (await namesOf(path)).at(-1) ?? path;
}

async function behindFirstLink(path: string): Promise<string | undefined> {
  let folder = await withoutLinks(path);
  const parts = relative(folder, path).split("/").filter(Boolean);
  for (const [at, part] of parts.entries()) {
    const entry = join(folder, part);
    const info = await Deno.lstat(entry).catch(() => undefined);
    if (info === undefined) return undefined;
    if (info.isSymlink) {
      const target = await Deno.readLink(entry).catch(() => undefined);
      if (target === undefined) return undefined;
      return join(resolve(dirname(entry), target), ...parts.slice(at + 1));
    }
    folder = entry;
  }
  return undefined;
}

/** The path, its folder, or the root: the first that is reached through no link. Most paths have none, and
 * their last name may be missing. */
async function withoutLinks(path: string): Promise<string> {
  for (const one of [path, dirname(path)]) {
    if (await Deno.realPath(one).catch(() => undefined) === one) return one;
  }
  return "/";
}
