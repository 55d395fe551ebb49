/** All names that lead to a path through links: a program may use or replace any of them. */

import { lstat, readlink } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";

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
  const parts = path.split("/").filter(Boolean);
  let folder = "/";
  for (const [at, part] of parts.entries()) {
    const entry = join(folder, part);
    const info = await lstat(entry).catch(() => undefined);
    if (info === undefined) return undefined;
    if (info.isSymbolicLink()) {
      const target = await readlink(entry).catch(() => undefined);
      if (target === undefined) return undefined;
      return join(resolve(dirname(entry), target), ...parts.slice(at + 1));
    }
    folder = entry;
  }
  return undefined;
}
