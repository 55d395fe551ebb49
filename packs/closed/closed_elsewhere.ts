/** Files that are closed because a closed name leads there: a link, or git's settings. */

import { attempt } from "#base";
import { isNothing } from "#files";
import {
  foldersAround,
  levelsOf,
  type LinkPlaces,
  searchBase,
  type Searched,
  targetsOfLinks,
} from "./closed_links.ts";
import type { OwnSettings } from "./git/own_settings.ts";
import type { GitReader } from "./git/reader.ts";
import { repositoryAt } from "./git/repositories.ts";
import { type GitNames, namedByGit } from "./git/settings.ts";
import { realOf } from "./link_names.ts";
import { foldersAbove, isBelow, isHookIn, keyOf } from "./names.ts";
import type { Found } from "./search.ts";
import { closesAll, closesTarget, type WriteRules } from "./write_rules.ts";

export interface Places extends LinkPlaces {
  readonly read: GitReader;
  readonly own: OwnSettings;
  /** Links on the way to programs. */
  readonly passed: readonly string[];
  /** Reason why programs, or modules behind links, may be missing from the rules. */
  readonly undecided: string | undefined;
}

/** Adds those files to the rules. */
export async function closedElsewhere(rules: WriteRules, places: Places): Promise<WriteRules> {
  const { bases, home, search, read, own } = places;
  const inside: Found[] = [];
  for (const base of bases) inside.push(await searchBase(base, places));
  const around: Found[] = [];
  const folders = await foldersAround({ bases, home });
  for (const folder of folders) around.push(await search.levels(folder, 1));

  const all = [...inside, ...around];
  const repositories = [...new Set(all.flatMap(({ repositories }) => repositories))];
  const git = await namedByGit({ roots: repositories, home, own, read });
  const roots = new Set([...rules.roots, ...all.flatMap(rootsOfLinks).map(keyOf)]);
  const { named, above } = filesOf(rules, git);
  const links = await targetsOfLinks([
    ...bases.map((folder) => {
      return { folder, isClosed: closerOf({ ...rules, roots }), levels: levelsOf(folder, home) };
    }),
    ...searchedAround({ ...rules, roots }, { bases, folders, around }),
    ...searchedOf([...git.folders, ...sharedBy(repositories)], bases)
      .map((folder) => ({ folder, isClosed: () => true, isTarget: true })),
    ...[...git.folders, ...git.around]
      .filter((folder) => named.around.has(keyOf(folder)))
      .map((folder) => ({ folder, isClosed: hookIn(named.around), levels: 1 })),
  ], { search, bases, closesAll: (path) => closesAll(path, { ...rules, roots }) });

  const linked = below(rules, [
    ...links.targets,
    ...links.links,
    ...git.links,
    ...places.passed,
  ]);
  return {
    ...rules,
    linked,
    wide: links.wide.map(({ folder, why }) => ({ folder: keyOf(folder), why })),
    git: named,
    above: foldersAbove([...closedIn(rules), ...linked], above),
    undecided: places.undecided ?? links.undecided ?? git.undecided,
  };
}

/** Folders of settings and hooks of repositories. */
function sharedBy(repositories: readonly string[]): string[] {
  return repositories.map((root) => repositoryAt(root).shared);
}

/** Folders that exist, without those that hold a folder that programs may use. */
function searchedOf(folders: readonly string[], bases: readonly string[]): string[] {
  return folders.filter((folder) => {
    const real = realOf(folder);
    return !holdsOne(bases, real) && isThere(real);
  });
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    return !isNothing(error, path);
  }
}

interface GitFiles {
  readonly named: WriteRules["git"];
  /** Folders above the folders. */
  readonly above: Set<string>;
}

/** Keys of what git's settings name. */
function filesOf({ bases }: WriteRules, git: GitNames): GitFiles {
  const [files, folders, around] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [aboveFiles, above] = [new Set<string>(), new Set<string>()];
  for (const file of git.files) {
    const key = keyOf(file);
    files.add(key);
    foldersAbove([key], aboveFiles);
  }
  for (const folder of git.folders) {
    const key = keyOf(folder);
    const holds = holdsOne(bases, key);
    (holds ? around : folders).add(key);
    if (!holds) foldersAbove([key], above);
  }
  for (const key of [...git.around].map(keyOf)) if (!folders.has(key)) around.add(key);
  return { named: { files, folders, around, above: aboveFiles }, above };
}

/** A link to a folder is no hook. */
function hookIn(folders: ReadonlySet<string>): Searched["isClosed"] {
  return (path) => {
    return isHookIn(folders, keyOf(path)) && !attempt(() => Deno.statSync(path).isDirectory);
  };
}

/** Closed paths of the configuration and the servers. A file of a folder where a program starts would
 * move with the folder. */
function closedIn({ configuration, files, trees, starts, reading }: WriteRules): string[] {
  return [
    ...configuration,
    ...files,
    ...trees,
    ...reading.secrets,
    ...reading.homeState,
    ...[...starts].map((folder) => `${folder}/package.json`),
  ];
}

/** Roots in which a link has a name that begins with a dot, or lies below a folder of the root with
 * such a name. Other roots close no link. */
function rootsOfLinks({ links, roots }: Found): string[] {
  const holders = new Set(links.flatMap(({ path }) => {
    return [...path.matchAll(/\/\./g)].map(({ index }) => path.slice(0, index));
  }));
  return roots.filter((root) => holders.has(root));
}

function closerOf(rules: WriteRules): Searched["isClosed"] {
  return (path) => closesTarget(path, rules);
}

interface Around {
  readonly bases: readonly string[];
  readonly folders: readonly string[];
  readonly around: readonly Found[];
}

/** Entries with closed names in the folders above the bases, and everything in them, except the
 * bases themselves: names above a base close nothing in it. */
function searchedAround(rules: WriteRules, { bases, folders, around }: Around): Searched[] {
  const keys = folders.map(keyOf);
  const isName = closerOf({
    ...rules,
    bases: [...rules.bases, ...keys],
    roots: new Set([...rules.roots, ...keys]),
  });
  const isClosed = (path: string) => !bases.some((base) => isBelow(path, base));
  const names = around.flatMap(({ folders }) => folders).filter(isName);
  return [
    ...folders.map((folder) => ({ folder, isClosed: isName, levels: 1 })),
    ...names.map((folder) => ({ folder, isClosed })),
  ];
}

/** Keys of paths, without the folders that programs may use and those above them, which other rules
 * handle. */
function below({ bases }: WriteRules, paths: Iterable<string>): ReadonlySet<string> {
  return new Set([...paths].map(keyOf).filter((target) => !holdsOne(bases, target)));
}

function holdsOne(bases: readonly string[], folder: string): boolean {
  return bases.some((base) => isBelow(base, folder));
}
