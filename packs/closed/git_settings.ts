/** Files of a project that git's settings name: git starts them, or reads what to start. */

import { dirname, join, resolve } from "node:path";
import { attempt } from "#base";
import { readRegularText } from "#files";
import type { GitEntry, GitReader } from "./git_reader.ts";
import { namesOf } from "./link_names.ts";
import { isBelow } from "./names.ts";
import { candidatesOf, wordsOf } from "./words.ts";

/** Limits of what all repositories name together. */
const MOST_FILES = 10_000;
const MOST_INCLUDED = 1_000;
const MOST_WORDS = 200_000;
const MOST_BYTES = 64 * 1024;

export interface GitNames {
  /** Words of values that may be files: scripts in commands (`filter.x.clean`, `alias.x`). */
  readonly files: Set<string>;
  /** Folders of hooks, and included files. */
  readonly folders: Set<string>;
  /** Reason why git may start any file, where its settings cannot be read. */
  undecided?: string;
}

interface Repository {
  /** Folder that has an entry `.git`. */
  readonly root: string;
  readonly dir: string;
  /** Folder of settings and hooks, which the repository of a linked work tree shares. */
  readonly shared: string;
}

/** Places of the repository in a folder; a worktree or a submodule has a file `.git`, a bare repository
 * none. */
export function repositoryAt(root: string): Repository {
  const git = join(root, ".git");
  if (!attempt(() => Deno.lstatSync(git))) return { root, dir: root, shared: root };
  const link = /^gitdir: (.*)$/m.exec(textOf(git))?.[1];
  const dir = link === undefined ? git : resolve(root, link);
  const common = textOf(join(dir, "commondir")) || ".";
  return { root, dir, shared: resolve(dir, common.trim()) };
}

/** Empty for a file that is not there. */
function textOf(file: string): string {
  return attempt(() => readRegularText(file, MOST_BYTES)) ?? "";
}

export interface GitSources {
  readonly repositories: readonly string[];
  readonly home: string;
  readonly read: GitReader;
}

export async function namedByGit({ repositories, home, read }: GitSources): Promise<GitNames> {
  const names: GitNames = { files: new Set(), folders: new Set() };
  const files = new Map<string, readonly Setting[]>();
  let words = 0;
  for (const file of ownFiles(home)) await addNames(names.folders, { file, root: home });
  for (const root of repositories) {
    const repository = repositoryAt(root);
    const settings: Setting[] = [];
    for (const file of filesOf(repository, home)) {
      const own = files.get(file) ?? await withIncluded(file, { home, read, names });
      files.set(file, own);
      settings.push(...own);
    }
    const paths = wordsIn(settings, { repository, home });
    words += paths.length;
    if (files.size > MOST_FILES) cannotTell(names, `git has over ${MOST_FILES} files of settings`);
    if (words > MOST_WORDS) cannotTell(names, `git's settings have over ${MOST_WORDS} words`);
    if (names.undecided !== undefined) break;
    for (const file of paths) await addNames(names.files, { file, root });
    for (const folder of foldersIn(settings, { repository, home })) {
      await addNames(names.folders, { file: folder, root });
    }
  }
  return names;
}

function cannotTell(names: GitNames, why: string): void {
  names.undecided ??= `git may start it: ${why}`;
}

function filesOf({ dir, shared }: Repository, home: string): string[] {
  return [join(shared, "config"), join(dir, "config.worktree"), ...ownFiles(home)];
}

/** Settings of the person. */
function ownFiles(home: string): string[] {
  return [join(home, ".gitconfig"), join(home, ".config/git/config")];
}

interface Setting {
  readonly file: string;
  readonly entry: GitEntry;
}

interface Reading extends Omit<GitSources, "repositories"> {
  readonly names: GitNames;
}

/** Settings of a file and of those that it includes, whatever the condition. */
async function withIncluded(file: string, { home, read, names }: Reading): Promise<Setting[]> {
  const settings: Setting[] = [];
  const waiting = new Set([file]);
  for (const one of waiting) {
    const entries = waiting.size > MOST_INCLUDED
      ? `"${file}" includes over ${MOST_INCLUDED} files`
      : await read(one);
    if (typeof entries === "string") {
      cannotTell(names, entries);
      return settings;
    }
    for (const entry of entries) {
      settings.push({ file: one, entry });
      const [key, value] = entry;
      if (/^include(?:if\..*)?\.path$/s.test(key)) {
        waiting.add(resolve(dirname(one), inHome(value, home)));
      }
    }
  }
  return settings;
}

/** Git and the shell that it starts read `~` as the home folder. */
function inHome(value: string, home: string): string {
  return value.replace(/^~[^/]*(?=\/|$)|\$HOME\b|\$\{HOME\}/g, home);
}

interface Place {
  readonly repository: Repository;
  readonly home: string;
}

/** Values that are folders or files as a whole, from each folder that they may be relative to. */
function foldersIn(settings: readonly Setting[], { repository, home }: Place): string[] {
  return settings.flatMap(({ file, entry: [key, value] }) => {
    if (value === "" || !/(?:path|dir)$/.test(key)) return [];
    return [repository.root, dirname(file)].map((folder) => resolve(folder, inHome(value, home)));
  });
}

function wordsIn(settings: readonly Setting[], { repository, home }: Place): string[] {
  const { root, dir } = repository;
  const trees = settings.flatMap(({ entry: [key, value] }) => {
    return key === "core.worktree" ? [resolve(dir, value)] : [];
  });
  // The value of an alias that is a command begins with `!`.
  const values = new Set(
    settings.map(({ entry: [, value] }) => inHome(value.replace(/^!/, ""), home)),
  );
  const paths = [...values].flatMap((value) => {
    const words = [...wordsOf([value]), ...escapedIn(value)].map((word) => inHome(word, home));
    // What follows `$(git rev-parse --show-toplevel)` or `"$PWD"` looks like a whole path.
    const candidates = words.flatMap((word) => candidatesOf(word, home))
      .flatMap((word) => word.startsWith("/") ? [word, `.${word}`] : [word])
      .flatMap((word) => /\s/.test(value) ? [word, ...modulesOf(word)] : [word]);
    return [root, ...trees].flatMap((base) => {
      const named = candidates.map((word) => resolve(base, word));
      // Other words may be relative to a folder that one names: `cd tools && ./x`, `PATH=tools x`.
      const folders = /\s/.test(value) ? named.filter((path) => isFolderBelow(path, base)) : [];
      return [
        ...named,
        ...folders.flatMap((folder) => candidates.map((word) => resolve(folder, word))),
      ];
    });
  });
  return [...new Set(paths)];
}

/** Words with an escaped blank in them. */
function escapedIn(value: string): string[] {
  return [...value.matchAll(/(?:[^\s\\;&|"']|\\.)+/g)].map(([word]) => word)
    .filter((word) => word.includes("\\")).map((word) => word.replace(/\\(.)/g, "$1"));
}

/** Files that an interpreter takes for a word: `python -m tools.x`, `node tools/x`. */
function modulesOf(word: string): string[] {
  if (!/^[\w./-]+$/.test(word) || word.endsWith("/")) return [];
  const endings = [".py", ".js", ".cjs", ".mjs", ".ts"].map((ending) => `${word}${ending}`);
  return [...endings, `${word.replaceAll(".", "/")}.py`, `${word}/index.js`, `${word}/__main__.py`];
}

function isFolderBelow(path: string, base: string): boolean {
  return path !== base && isBelow(path, base) &&
    attempt(() => Deno.statSync(path).isDirectory) === true;
}

interface Named {
  readonly file: string;
  readonly root: string;
}

/** Adds all names of a path, but not of one that holds the repository. */
async function addNames(to: Set<string>, { file, root }: Named): Promise<void> {
  const names = isMissing(file, root) ? [file] : await namesOf(file);
  for (const name of names) if (!isBelow(root, name)) to.add(name);
}

/** True if the first name below a root is missing, as most words are: then no link is on the way. */
function isMissing(path: string, root: string): boolean {
  const [first] = isBelow(path, root) ? path.slice(root.length).split("/").filter(Boolean) : [];
  return first !== undefined && !attempt(() => Deno.lstatSync(join(root, first)), undefined);
}
