/** Files and folders that a link or a second hard link with a closed name leads to. */

import { lstat, opendir, readdir, readlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { MOST_SEARCHED, searchFolders } from "./folder_search.ts";
import { namedByGit } from "./git_settings.ts";
import { namesOf, realOf } from "./link_names.ts";

/** Limits of a search that must be whole. */
const MOST_BELOW = 100_000;
const DEEPEST = 64;
/** Large folders, in which no such links are expected. */
const LARGE = /^(?:node_modules|objects|\.venv|venv|\.cache|\.next|\.turbo|\.?worktrees)$/;
const GIT_DATA = /\/\.git\/(?:.+\/)?(?:lfs|logs|refs|rr-cache)$/;

export interface LinkTargets {
  readonly targets: readonly string[];
  /** Reason why any file may be a target, where there is too much to search. */
  readonly undecided: string | undefined;
}

export interface LinkSearch {
  /** True for the paths whose links count. */
  readonly isClosed: (path: string) => boolean;
  /** True for folders that Toolscript fills. */
  readonly isFilled: (path: string) => boolean;
  /** Levels of folders that are searched; all without it. */
  readonly levels?: number;
  /** Limit of folders, or of entries where each is checked. */
  readonly most?: number;
}

/** Targets of the closed links at the root of a project and in its closed folders. */
export async function targetsOfLinks(
  root: string,
  { isClosed, isFilled, levels = Infinity, most = MOST_SEARCHED }: LinkSearch,
): Promise<LinkTargets> {
  const targets: string[] = [];
  const start = [{ folder: root, top: root, level: 0 }];
  const undecided = await searchFolders({ start, most }, async (item, entries) => {
    const next: typeof start = [];
    for (const { path, name, isLink } of entries.filter(({ path }) => isClosed(path))) {
      if (isLink) targets.push(...await targetOf(path));
      else if (item.level < levels && !isLeftOut(name, path) && !isFilled(path)) {
        const top = item.folder === root ? path : item.top;
        next.push({ folder: path, top, level: item.level + 1 });
      }
    }
    return next;
  });
  return { targets: [...targets, ...await namedByGit(root)], undecided };
}

function isLeftOut(name: string, path: string): boolean {
  return LARGE.test(name) || GIT_DATA.test(path);
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

/** Closed files with more than one hard link, as `device:inode`; undefined if there are over `most`
 * entries to check. */
export async function hardLinks(
  folders: readonly string[],
  { isClosed, most = MOST_SEARCHED }: Pick<LinkSearch, "isClosed" | "most">,
): Promise<string[] | undefined> {
  const inodes = new Set<string>();
  const waiting = [...folders];
  let left = most;
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
  let left = MOST_BELOW;
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
