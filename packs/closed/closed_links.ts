/** Files and folders that a link or a second hard link with a closed name leads to. */

import { lstat, opendir, readdir, readlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { namedByGit } from "./git_settings.ts";
import { namesOf, realOf } from "./link_names.ts";

/** Limit of entries that one search reads. */
const MOST_ENTRIES = 50_000;
/** Limits of a search that must be whole. */
const MOST_SEARCHED = 100_000;
const DEEPEST = 64;
/** Large folders, in which no such links are expected. */
const LARGE = /^(?:node_modules|objects|\.venv|venv|\.cache|\.next|\.turbo)$/;

/** Targets of the closed links at the root of a project and in its closed folders, the nearest
 * first: the limit leaves out the deepest. */
export async function targetsOfLinks(
  root: string,
  isClosed: (path: string) => boolean,
): Promise<string[]> {
  const targets: string[] = [];
  const waiting = [{ folder: root, depth: 0 }];
  let left = MOST_ENTRIES / 10;
  for (const { folder, depth } of waiting) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (depth > 0 && left-- < 0) break;
      if (!isClosed(path)) continue;
      if (entry.isSymbolicLink()) targets.push(...await targetOf(path));
      else if (entry.isDirectory() && depth < 4 && !LARGE.test(entry.name)) {
        waiting.push({ folder: path, depth: depth + 1 });
      }
    }
  }
  return [...targets, ...await namedByGit(root)];
}

/** All names of what a link leads to. */
async function targetOf(link: string): Promise<string[]> {
  const target = await readlink(link).catch(() => undefined);
  return target === undefined ? [] : await namesOf(resolve(dirname(link), target));
}

/** Targets of links in `node_modules`: packages of a workspace. */
export async function linkedPackages(folder: string): Promise<string[]> {
  const targets: string[] = [];
  async function look(path: string, isScope: boolean): Promise<void> {
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      const child = join(path, entry.name);
      if (entry.isSymbolicLink()) targets.push(await realOf(child));
      else if (!isScope && entry.name.startsWith("@")) await look(child, true);
    }
  }
  const packages = join(folder, "node_modules");
  await look(packages, false);
  return targets.filter((path) => !path.includes("/node_modules/"));
}

/** Closed files with more than one hard link, as `device:inode`; undefined if there are too many
 * entries to check. */
export async function hardLinks(
  folders: readonly string[],
  isClosed: (path: string) => boolean,
): Promise<string[] | undefined> {
  const inodes = new Set<string>();
  const waiting = [...folders];
  let left = MOST_ENTRIES;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (left-- < 0) return undefined;
    const info = await lstat(path).catch(() => undefined);
    if (info?.isFile() && info.nlink > 1 && isClosed(path)) inodes.add(`${info.dev}:${info.ino}`);
    if (!info?.isDirectory()) continue;
    const folder = await opendir(path).catch(() => undefined);
    if (folder === undefined) continue;
    for await (const entry of folder) {
      const child = join(path, entry.name);
      if (entry.isDirectory() ? entry.name !== "objects" : isClosed(child)) waiting.push(child);
    }
  }
  return [...inodes];
}

/** Links below folders, which are not followed, and folders that cannot be listed; undefined if there
 * are over 100,000 entries or 64 levels. */
export async function linksBelow(folders: readonly string[]): Promise<string[] | undefined> {
  const links: string[] = [];
  const waiting = folders.map((folder) => ({ folder, depth: 0 }));
  let left = MOST_SEARCHED;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder, depth } = next;
    const entries = await listing(folder);
    left -= entries?.length ?? 0;
    if (left < 0 || depth > DEEPEST) return undefined;
    if (!entries) links.push(folder);
    for (const { name, isSymlink, isDirectory } of entries ?? []) {
      if (isSymlink) links.push(join(folder, name));
      else if (isDirectory) waiting.push({ folder: join(folder, name), depth: depth + 1 });
    }
  }
  return links;
}

/** Entries of a folder, none of a file or where nothing is; undefined if they cannot be listed. */
async function listing(folder: string): Promise<Deno.DirEntry[] | undefined> {
  try {
    return await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    const { NotFound, NotADirectory } = Deno.errors;
    return error instanceof NotFound || error instanceof NotADirectory ? [] : undefined;
  }
}
