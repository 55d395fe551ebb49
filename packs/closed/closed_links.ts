/** Files and folders that are closed by the name of a link or of a second hard link. */

import { lstat, opendir, readdir, readFile, readlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { namesOf, realOf } from "./link_names.ts";

/** Entries that one look goes through. */
const MOST_ENTRIES = 50_000;
/** Folders with much in them that no link is expected in. */
const LARGE = /^(?:node_modules|objects|\.venv|venv|\.cache|\.next|\.turbo)$/;

/** Where the closed links at the root of a project lead, and those in its closed folders. */
export async function targetsOfLinks(
  root: string,
  isClosed: (path: string) => boolean,
): Promise<string[]> {
  const targets: string[] = [];
  let left = MOST_ENTRIES / 10;
  async function look(folder: string, depth: number): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (left-- < 0) return;
      if (!isClosed(path)) continue;
      if (entry.isSymbolicLink()) {
        const target = await readlink(path).catch(() => undefined);
        if (target !== undefined) targets.push(...await namesOf(resolve(folder, target)));
      } else if (entry.isDirectory() && depth < 4 && !LARGE.test(entry.name)) {
        await look(path, depth + 1);
      }
    }
  }
  await look(root, 0);
  return [...targets, ...await hooksOf(root)];
}

/** Packages of a workspace are links in `node_modules`. */
export async function linkedPackages(folder: string): Promise<string[]> {
  const found: string[] = [];
  async function look(path: string, isScope: boolean): Promise<void> {
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      const child = join(path, entry.name);
      if (entry.isSymbolicLink()) found.push(await realOf(child));
      else if (!isScope && entry.name.startsWith("@")) await look(child, true);
    }
  }
  const packages = join(folder, "node_modules");
  await look(packages, false);
  return found.filter((path) => !path.includes("/node_modules/"));
}

/** The folder that git takes hooks from. */
async function hooksOf(root: string): Promise<string[]> {
  const text = await readFile(join(root, ".git", "config"), "utf8").catch(() => "");
  const paths = [...text.matchAll(/^\s*hookspath\s*=\s*"?([^"\n#;]+?)"?\s*$/gim)];
  const named = await Promise.all(paths.map(([, path = ""]) => namesOf(resolve(root, path))));
  return named.flat().filter((path) => path !== root && path !== dirname(root));
}

/** Files of folders that go by more names than one, as `device:inode`; undefined where there are
 * too many to look at. */
export async function hardLinks(
  folders: readonly string[],
  isClosed: (path: string) => boolean,
): Promise<string[] | undefined> {
  const found = new Set<string>();
  const waiting = [...folders];
  let left = MOST_ENTRIES;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (left-- < 0) return undefined;
    const info = await lstat(path).catch(() => undefined);
    if (info?.isFile() && info.nlink > 1 && isClosed(path)) found.add(`${info.dev}:${info.ino}`);
    if (!info?.isDirectory()) continue;
    const folder = await opendir(path).catch(() => undefined);
    if (folder === undefined) continue;
    for await (const entry of folder) {
      const child = join(path, entry.name);
      if (entry.isDirectory() ? entry.name !== "objects" : isClosed(child)) waiting.push(child);
    }
  }
  return [...found];
}
