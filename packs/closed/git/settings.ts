/** Files of a project that git's settings name: git starts them, or reads what to start. */

import { dirname, join } from "node:path";
import { under } from "#files";
import { commandOf, inHome, mayBeThere, namesIn, pathsFrom } from "./named_paths.ts";
import type { OwnSettings } from "./own_settings.ts";
import type { GitReader } from "./reader.ts";
import { type Repository, withRelated } from "./repositories.ts";
import type { GitEntry } from "./settings_text.ts";
import { wayTo } from "../link_names.ts";
import { isBelow } from "../names.ts";
import { MOST_CHARACTERS } from "../words.ts";

/** Limits of what all repositories name together. */
const MOST = { files: 10_000, paths: 200_000, characters: 32 * 1024 * 1024 };
/** Reasons for which a limit ends the look. */
const OVER: Readonly<Record<keyof typeof MOST, string>> = {
  files: `git has over ${MOST.files} files of settings`,
  paths: `git's settings name over ${MOST.paths} files`,
  characters: `git's settings have over ${MOST.characters} characters for all repositories`,
};
const MOST_INCLUDED = 1_000;
const MOST_TREES = 100;
/** Size of an ordinary path, which counts as one: characters, and names in it. */
const USUAL = { characters: 200, names: 16 };
/** Characters that each entry of a folder counts as. */
const ENTRY = 10;

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

/** One look at the settings of all repositories. */
interface Look extends GitSources {
  readonly names: GitNames;
  /** Amounts that it may still take. */
  readonly left: Record<keyof typeof MOST, number>;
  /** Settings by file, with those that it includes. */
  readonly files: Map<string, readonly Source[]>;
}

/** Settings of one file. */
interface Source {
  /** Folder of the file. */
  readonly folder: string;
  readonly entries: readonly GitEntry[];
}

export async function namedByGit(sources: GitSources): Promise<GitNames> {
  const { roots, home, own } = sources;
  const names = noNames();
  const look: Look = { ...sources, names, left: { ...MOST }, files: new Map() };
  for (const root of [home, ...roots]) {
    const entries = listed(root, look);
    for (const name of own.files) {
      addNames({ to: "folders", file: under(root, name), root, entries }, look);
    }
  }
  const repositories = withRelated(roots);
  if (typeof repositories === "string") cannotTell(names, repositories);
  for (const repository of typeof repositories === "string" ? [] : repositories) {
    if (names.undecided !== undefined) break;
    await addRepository(repository, look);
  }
  return names.undecided === undefined ? names : { ...noNames(), undecided: names.undecided };
}

function noNames(): GitNames {
  return { files: new Set(), folders: new Set(), around: new Set(), links: new Set() };
}

function cannotTell(names: GitNames, why: string): void {
  names.undecided ??= `git may start it: ${why}`;
}

/** Counts what is taken of a limit. */
function take(amount: number, of: keyof typeof MOST, { left, names }: Look): void {
  left[of] -= amount;
  if (left[of] < 0) cannotTell(names, OVER[of]);
}

function listed(folder: string, look: Look): ReadonlySet<string> {
  const entries = namesIn(folder);
  take(entries.size * ENTRY, "characters", look);
  return entries;
}

async function addRepository(repository: Repository, look: Look): Promise<void> {
  const { own, names } = look;
  const sources: Source[] = [{ folder: dirname(repository.root), entries: own.entries }];
  for (const file of filesOf(repository, own)) {
    const all = look.files.get(file) ?? await withIncluded(file, look);
    look.files.set(file, all);
    for (const source of all) sources.push(source);
  }
  const trees: Tree[] = [];
  for (const base of treesOf(sources, repository, look)) {
    trees.push({ base, entries: listed(base, look) });
  }
  const adder = adderFor(trees, look);
  for (const { folder, entries } of sources) {
    for (const [key, value] of entries) {
      if (names.undecided !== undefined) return;
      adder.addWords(value);
      if (/(?:path|dir)$/.test(key)) adder.addFolders(value, folder);
    }
  }
}

function filesOf({ root, dir, shared }: Repository, { files }: OwnSettings): string[] {
  const own = files.map((file) => under(root, file));
  return [join(shared, "config"), join(dir, "config.worktree"), ...own];
}

/** Settings of a file and of those that it includes, whatever the condition. */
async function withIncluded(file: string, look: Look): Promise<Source[]> {
  const sources: Source[] = [];
  const waiting = new Set([file]);
  for (const one of waiting) {
    take(1, "files", look);
    const entries = waiting.size > MOST_INCLUDED
      ? `"${file}" includes over ${MOST_INCLUDED} files`
      : await look.read(one);
    if (typeof entries === "string") cannotTell(look.names, entries);
    if (typeof entries === "string" || look.names.undecided !== undefined) break;
    const folder = dirname(one);
    // Links in one folder lead to one file.
    if (sources.some((other) => other.entries === entries && other.folder === folder)) continue;
    sources.push({ folder, entries });
    take(entries.length, "characters", look);
    for (const [key, value] of entries) {
      if (!/^include(?:if\..*)?\.path$/s.test(key)) continue;
      waiting.add(under(folder, inHome(value, look.home)));
    }
  }
  return sources;
}

/** Work tree of a repository: values may be relative to each. */
interface Tree {
  readonly base: string;
  /** Names in it. */
  readonly entries: ReadonlySet<string>;
}

function treesOf(
  sources: readonly Source[],
  { root, dir }: Repository,
  { names }: Look,
): Set<string> {
  const paths = new Set<string>();
  for (const { entries } of sources) {
    for (const [key, value] of entries) {
      if (key === "core.worktree" && isPath(value)) paths.add(under(dir, value));
    }
  }
  const trees = new Set([root]);
  if (paths.size > MOST_TREES) {
    cannotTell(names, `git's settings name over ${MOST_TREES} work trees`);
    return trees;
  }
  for (const { real, gap } of [...paths].map(wayTo)) {
    if (gap === undefined) trees.add(real);
    else cannotTell(names, gap);
  }
  return trees;
}

/** False for a text that is longer than the system allows in a path. */
function isPath(value: string): boolean {
  return value.length <= MOST_CHARACTERS;
}

interface Adder {
  /** Adds the files that the words of a value may be. */
  addWords(value: string): void;
  /** Adds the whole value as a path, from each folder that it may be relative to. */
  addFolders(value: string, folder: string): void;
}

/** Creates the adder of one repository, which processes each value and each path once. */
function adderFor(trees: readonly Tree[], look: Look): Adder {
  const { home, names } = look;
  const [tree] = trees;
  const [root, entries] = [tree?.base ?? home, tree?.entries];
  const seen = { values: new Set<string>(), files: new Set<string>(), folders: new Set<string>() };
  function add(to: Named["to"], file: string): void {
    take(costOf(file), "paths", look);
    if (names.undecided !== undefined || seen[to].has(file)) return;
    seen[to].add(file);
    addNames({ to, file, root, entries }, look);
  }
  return {
    addWords(raw) {
      take(1, "characters", look);
      // The value of an alias that is a command begins with `!`.
      const value = inHome(raw.replace(/^!/, ""), home);
      if (seen.values.has(value)) return;
      seen.values.add(value);
      take(value.length, "characters", look);
      const command = commandOf(value, { home, most: MOST.paths });
      if (command === undefined) return cannotTell(names, OVER.paths);
      for (const tree of trees) {
        for (const path of pathsFrom(command, tree)) {
          add("files", path);
          if (names.undecided !== undefined) return;
        }
      }
    },
    addFolders(value, folder) {
      if (value === "" || !isPath(value)) return;
      for (const base of [...trees.map(({ base }) => base), folder]) {
        add("folders", under(base, inHome(value, home)));
      }
    },
  };
}

/** Number of ordinary paths that a path counts as: the folders above it are kept, too. */
function costOf(file: string): number {
  const depth = file.split("/").length;
  return Math.ceil(Math.max(file.length / USUAL.characters, depth / USUAL.names));
}

interface Named {
  readonly to: "files" | "folders";
  readonly file: string;
  readonly root: string;
  /** Names in the root. */
  readonly entries: ReadonlySet<string> | undefined;
}

/** Adds all names of a path. The root, and a folder above it, is no file, and is kept in `around`
 * if it is a folder of hooks. If the first name below the root is missing, no link is on the
 * way. */
function addNames({ to, file, root, entries = namesIn(root) }: Named, look: Look): void {
  const { names } = look;
  const isMissing = isBelow(file, root) && file !== root && !mayBeThere(file, root, entries);
  const way = isMissing ? { names: [file], links: [] } : wayTo(file);
  for (const name of way.names) {
    if (name !== file) take(costOf(name), "paths", look);
    if (!isBelow(root, name)) names[to].add(name);
    else if (to === "folders") names.around.add(name);
  }
  for (const link of way.links) names.links.add(link);
  if ("gap" in way) names.undecided ??= way.gap;
}
