/** Files of a project that git's settings name: git starts them, or reads what to start. */

import { dirname, join } from "node:path";
import { attempt, createTurns } from "#base";
import { entriesIn, hasTurn, under } from "#files";
import type { OwnSettings } from "./own_settings.ts";
import type { GitEntry, GitReader } from "./reader.ts";
import { type Repository, withRelated } from "./repositories.ts";
import { wayTo } from "../link_names.ts";
import { isBelow, keyOf } from "../names.ts";
import { candidatesOf, wordsOf } from "../words.ts";

/** Limits of what all repositories name together. */
const MOST_FILES = 10_000;
const MOST_INCLUDED = 1_000;
const MOST_PATHS = 200_000;
/** Paths after which other work runs. */
const TURN = 500;

export interface GitNames {
  /** Words of values that may be files: scripts in commands (`filter.x.clean`, `alias.x`). */
  readonly files: Set<string>;
  /** Folders of hooks, and included files. */
  readonly folders: Set<string>;
  /** Folders of hooks that hold the repository: of what is in them, git starts hooks alone. */
  readonly around: Set<string>;
  /** Links on the way to these. */
  readonly links: Set<string>;
  /** Reason why git may start any file, where its settings cannot be read. */
  undecided?: string;
}

export interface GitSources {
  /** Folders with a repository. */
  readonly roots: readonly string[];
  readonly home: string;
  readonly own: OwnSettings;
  readonly read: GitReader;
}

export async function namedByGit({ roots, home, own, read }: GitSources): Promise<GitNames> {
  const names = noNames();
  const files = new Map<string, readonly Setting[]>();
  const turn = createTurns();
  let count = 0;
  for (const root of [home, ...roots]) {
    for (const file of own.files.map((name) => under(root, name))) {
      addNames(names, { to: "folders", file, root });
    }
  }
  const repositories = await withRelated(roots);
  if (typeof repositories === "string") cannotTell(names, repositories);
  for (const repository of typeof repositories === "string" ? [] : repositories) {
    const settings = own.entries.map((entry): Setting => ({ file: repository.root, entry }));
    for (const file of filesOf(repository, own)) {
      const all = files.get(file) ?? await withIncluded(file, { home, read, names });
      files.set(file, all);
      settings.push(...all);
    }
    if (files.size > MOST_FILES) cannotTell(names, `git has over ${MOST_FILES} files of settings`);
    const place = { trees: treesOf(settings, { repository, names }), home };
    const paths = new Set<string>();
    for (const path of pathsIn(settings, place)) {
      paths.add(path);
      if (++count > MOST_PATHS) cannotTell(names, `git's settings name over ${MOST_PATHS} files`);
      if (names.undecided !== undefined) break;
      if (count % TURN === 0) await turn();
    }
    if (names.undecided !== undefined) break;
    const [root] = place.trees;
    const entries = namesIn(root);
    for (const file of paths) {
      addNames(names, { to: "files", file, root, entries });
      await turn();
    }
    for (const file of foldersIn(settings, place)) {
      addNames(names, { to: "folders", file, root, entries });
    }
  }
  return names;
}

function noNames(): GitNames {
  return { files: new Set(), folders: new Set(), around: new Set(), links: new Set() };
}

function cannotTell(names: GitNames, why: string): void {
  names.undecided ??= `git may start it: ${why}`;
}

function filesOf({ root, dir, shared }: Repository, { files }: OwnSettings): string[] {
  const own = files.map((file) => under(root, file));
  return [join(shared, "config"), join(dir, "config.worktree"), ...own];
}

interface Setting {
  readonly file: string;
  readonly entry: GitEntry;
}

interface Reading extends Pick<GitSources, "home" | "read"> {
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
        waiting.add(under(dirname(one), inHome(value, home)));
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
  /** Work trees of the repository: values may be relative to each. */
  readonly trees: readonly [string, ...string[]];
  readonly home: string;
}

function treesOf(
  settings: readonly Setting[],
  { repository: { root, dir }, names }: {
    readonly repository: Repository;
    readonly names: GitNames;
  },
): Place["trees"] {
  const ways = settings.filter(({ entry: [key] }) => key === "core.worktree")
    .map(({ entry: [, value] }) => wayTo(under(dir, value)));
  for (const { gap } of ways) if (gap !== undefined) cannotTell(names, gap);
  return [root, ...ways.filter(({ gap }) => gap === undefined).map(({ real }) => real)];
}

/** Values that are folders or files as a whole, from each folder that they may be relative to. */
function foldersIn(settings: readonly Setting[], { trees, home }: Place): string[] {
  return settings.flatMap(({ file, entry: [key, value] }) => {
    if (value === "" || !/(?:path|dir)$/.test(key)) return [];
    return [...trees, dirname(file)].map((folder) => under(folder, inHome(value, home)));
  });
}

/** Paths that the words of values may be, some of them twice. */
function* pathsIn(settings: readonly Setting[], { trees, home }: Place): Generator<string> {
  // The value of an alias that is a command begins with `!`.
  const values = new Set(
    settings.map(({ entry: [, value] }) => inHome(value.replace(/^!/, ""), home)),
  );
  for (const base of trees) {
    const entries = namesIn(base);
    for (const value of values) yield* pathsFrom(value, { base, home, entries });
  }
}

interface Base {
  readonly base: string;
  /** Names in it. */
  readonly entries: ReadonlySet<string>;
  readonly home: string;
}

function* pathsFrom(value: string, { base, entries, home }: Base): Generator<string> {
  const words = [...wordsOf([value]), ...escapedIn(value)].map((word) => inHome(word, home));
  const isCommand = /\s/.test(value);
  const folders = new Set<string>();
  for (const word of candidatesAmong(words, home)) {
    const path = under(base, word);
    yield path;
    if (!isCommand) continue;
    yield* modulesOf(word).map((module) => under(base, module));
    if (mayBeThere(path, base, entries) && isFolder(path)) folders.add(path);
  }
  if (!isCommand) return;
  for (const word of candidatesAmong(wordsOf(namedFolders(value)), home)) {
    folders.add(under(base, inHome(word, home)));
  }
  // Words may be relative to a folder that another one names.
  for (const folder of folders) {
    for (const word of candidatesAmong(words, home)) {
      for (const name of [word, ...modulesOf(word)]) yield under(folder, name);
    }
  }
}

/** Folders of `cd tools && ./x` and `PATH=tools x`, also those that are missing. */
function namedFolders(value: string): string[] {
  return [...value.matchAll(/\bcd\s+([^;&|]+)|\bPATH=(\S+)/g)]
    .map(([, folder, folders]) => folder ?? folders ?? "");
}

function* candidatesAmong(words: readonly string[], home: string): Generator<string> {
  for (const word of words) {
    for (const candidate of candidatesOf(word, home)) {
      yield candidate;
      // What follows `$(git rev-parse --show-toplevel)` or `"$PWD"` looks like a whole path.
      if (candidate.startsWith("/")) yield `.${candidate}`;
    }
  }
}

/** Words with an escaped blank in them. */
function escapedIn(value: string): string[] {
  return [...value.matchAll(/(?:[^\s\\;&|"']|\\.)+/g)].map(([word]) => word)
    .filter((word) => word.includes("\\")).map((word) => word.replace(/\\(.)/g, "$1"));
}

/** Files that make a folder a program. */
const IN_FOLDER = [
  ...["package.json", "index.js", "index.cjs", "index.mjs", "index.ts", "index.json", "index.node"],
  "__main__.py",
];

/** Files that an interpreter takes for a word: `python -m tools.x`, `node tools/x`. */
function modulesOf(word: string): string[] {
  if (!/^[\w./-]+$/.test(word) || word.endsWith("/")) return [];
  const endings = [".py", ".js", ".cjs", ".mjs", ".ts"].map((ending) => `${word}${ending}`);
  const inside = IN_FOLDER.map((name) => `${word}/${name}`);
  return [...endings, `${word.replaceAll(".", "/")}.py`, ...inside];
}

/** Keys of the names in a folder: the first name of most words is not among them. */
function namesIn(folder: string): ReadonlySet<string> {
  return new Set(entriesIn(folder).map(({ name }) => keyOf(name)));
}

/** True for a path below a folder of which at least the first name is there. */
function mayBeThere(path: string, base: string, entries: ReadonlySet<string>): boolean {
  const [first = ""] = path.slice(base.length).split("/").filter(Boolean);
  return isBelow(path, base) && (entries.has(keyOf(first)) || hasTurn(path));
}

function isFolder(path: string): boolean {
  return attempt(() => Deno.statSync(path).isDirectory) === true;
}

interface Named {
  readonly to: "files" | "folders";
  readonly file: string;
  readonly root: string;
  /** Names in the root. */
  readonly entries?: ReadonlySet<string>;
}

/** Adds all names of a path; a folder that holds the repository counts apart, and is no file. Where its
 * first name below the root is missing, no link is on the way. */
function addNames(
  names: GitNames,
  { to, file, root, entries = namesIn(root) }: Named,
): void {
  const isMissing = isBelow(file, root) && file !== root && !mayBeThere(file, root, entries);
  const way = isMissing ? { names: [file], links: [] } : wayTo(file);
  for (const name of way.names) {
    if (!isBelow(root, name)) names[to].add(name);
    else if (to === "folders") names.around.add(name);
  }
  for (const link of way.links) names.links.add(link);
  if ("gap" in way) names.undecided ??= way.gap;
}
