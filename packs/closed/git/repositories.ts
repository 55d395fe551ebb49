/** Places of git's repositories, with those of their worktrees and submodules. */

import { dirname, join } from "node:path";
import { attempt, exactText, isUnclear } from "#base";
import { entriesIn, readRegular, under } from "#files";
import { realOf, wayTo } from "../link_names.ts";
import { keyOf } from "../names.ts";

const MOST_BYTES = 64 * 1024;
/** Limit of the entries among which submodules and worktrees are looked for. */
const MOST_ENTRIES = 50_000;
const TOO_MANY = "there are too many entries where submodules and worktrees are kept";

export interface Repository {
  /** Folder that has an entry `.git`, where it is known. */
  readonly root: string;
  readonly dir: string;
  /** Folder of settings and hooks, which the repository of a linked work tree shares. */
  readonly shared: string;
  /** File that names one of these folders, but cannot be read exactly as git reads it. */
  readonly unclear?: string;
}

/** Places of the repository in a folder; a worktree or a submodule has a file `.git`, a bare repository
 * none. */
export function repositoryAt(root: string): Repository {
  const git = join(root, ".git");
  const isThere = attempt(() => Deno.lstatSync(git)) !== undefined;
  const own = isThere ? namedBy(git, { prefix: "gitdir: ", otherwise: git }) : { path: root };
  const common = namedBy(join(own.path, "commondir"), { prefix: "", otherwise: realOf(own.path) });
  return { root, dir: own.path, shared: common.path, unclear: own.unclear ?? common.unclear };
}

/** Root of the repository that a path lies in. */
export async function repositoryOf(path: string): Promise<string | undefined> {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    if (await Deno.stat(join(at, ".git")).then(() => true, () => false)) return at;
  }
  return undefined;
}

export const HEAD = "HEAD";

/** True for the entry by which git takes a folder for a repository: a file or a link. File systems of
 * other platforms ignore case, and a folder called `head` is usual. */
export function isHead(name: string, isFolder: boolean): boolean {
  return !isFolder && (name === HEAD || Deno.build.os !== "linux" && keyOf(name) === keyOf(HEAD));
}

/** True for the entries of a repository, also of one without a work tree. */
export function isRepository(entries: readonly Deno.DirEntry[]): boolean {
  return entries.some(({ name, isDirectory }) => isHead(name, isDirectory)) &&
    ["objects", "refs"].every((part) => entries.some(({ name }) => name === part));
}

interface Named extends Pick<Repository, "unclear"> {
  readonly path: string;
}

/** Real path of what a file names after a prefix. */
function namedBy(
  file: string,
  { prefix, otherwise }: { readonly prefix: string; readonly otherwise: string },
): Named {
  const text = textOf(file);
  if (text === undefined) return { path: otherwise, unclear: file };
  if (!text.startsWith(prefix) || text === prefix) return { path: otherwise };
  return followed(under(dirname(file), text.slice(prefix.length)), file);
}

function followed(path: string, file: string): Named {
  const { real, gap } = wayTo(path);
  return { path: real, unclear: gap && file };
}

/** Text of a file that holds a path, without the ends of lines after it, as git reads it. Empty if there
 * is no such file, undefined if git may read another path. */
function textOf(file: string): string | undefined {
  if (!attempt(() => Deno.statSync(file).isFile)) return "";
  const bytes = attempt(() => readRegular(file, MOST_BYTES));
  const text = bytes && exactText(bytes);
  if (text === undefined || text.includes("\0")) return undefined;
  let end = text.length;
  while (end > 0 && "\r\n".includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Repositories in folders, and those that share their settings or lie in them, wherever their work
 * trees are; a reason if they cannot be determined. */
export function withRelated(roots: readonly string[]): Repository[] | string {
  const all = roots.map((root): Repository => repositoryAt(root));
  const dirs = new Set(all.map(({ dir }) => dir));
  const seen = new Set<string>();
  let left = MOST_ENTRIES;
  for (const { root, dir, shared } of all) {
    const [gap] = [root, dir, shared].flatMap((path) => wayTo(path).gap ?? []);
    if (gap !== undefined) return gap;
    // The main work tree has settings of its own, too.
    for (const one of new Set([shared, dir])) {
      if (seen.has(one)) continue;
      seen.add(one);
      const modules = modulesIn(join(one, "modules"), left);
      if (typeof modules === "string") return modules;
      const trees = worktreesOf(one, left -= modules.looked);
      if (typeof trees === "string") return trees;
      left -= trees.length;
      const main = one === dir ? [] : [mainOf(one)];
      const others = [...trees, ...modules.repositories, ...main];
      for (const other of others.filter(({ dir }) => !dirs.has(dir))) all.push(other);
    }
  }
  const unclear = all.find(({ unclear }) => unclear !== undefined)?.unclear;
  return unclear === undefined ? all : `"${unclear}" leads to a name that is no UTF-8, or too far`;
}

/** The repository that others share. */
function mainOf(shared: string): Repository {
  const root = shared.endsWith("/.git") ? dirname(shared) : shared;
  return { root, dir: shared, shared };
}

function worktreesOf(shared: string, most: number): Repository[] | string {
  const entries = entriesIn(join(shared, "worktrees"));
  if (entries.length > most) return TOO_MANY;
  return entries.map((entry) => worktreeOf(entry, shared));
}

function worktreeOf(entry: Deno.DirEntry, shared: string): Repository {
  const dir = join(shared, "worktrees", entry.name);
  if (isHidden(entry)) return { root: dir, dir, shared, unclear: dir };
  const file = join(dir, "gitdir");
  const git = textOf(file);
  if (git === undefined) return { root: dir, dir, shared, unclear: file };
  if (git === "") return { root: dir, dir, shared };
  const { path, unclear } = followed(dirname(under(dir, git)), file);
  return { root: path, dir, shared, unclear };
}

/** True for an entry whose listed name may lead to another entry: bytes in it are no UTF-8. */
function isHidden({ name, isFile }: Deno.DirEntry): boolean {
  return !isFile && isUnclear(name);
}

interface Modules {
  readonly repositories: readonly Repository[];
  readonly looked: number;
}

/** Repositories of submodules, whose names may have several parts. */
function modulesIn(folder: string, most: number): Modules | string {
  const repositories: Repository[] = [];
  const waiting = new Set([realOf(folder)]);
  let looked = 0;
  for (const at of waiting) {
    const entries = entriesIn(at);
    looked += 1 + entries.length;
    if (looked > most) return TOO_MANY;
    const isWhole = isRepository(entries);
    const hasSettings = entries.some(({ name }) => name === "config");
    if (isWhole || hasSettings) repositories.push({ root: at, dir: at, shared: at });
    // `withRelated` searches each repository for its own submodules.
    if (isWhole) continue;
    for (const entry of entries) {
      const { name, isDirectory, isSymlink } = entry;
      const child = join(at, name);
      if (isHidden(entry)) repositories.push({ root: at, dir: at, shared: at, unclear: child });
      else if (isDirectory) waiting.add(child);
      else if (isSymlink && attempt(() => Deno.statSync(child).isDirectory)) {
        waiting.add(realOf(child));
      }
    }
  }
  return { repositories, looked };
}
