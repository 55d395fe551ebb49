/** Modules behind links: a program loads them by the names of the links. */

import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { LinkPlaces } from "./closed_links.ts";
import { MODULES } from "./languages.ts";
import { isBelow } from "./names.ts";
import type { Programs } from "./scripts.ts";
import type { Found, Link } from "./search.ts";

interface Waiting {
  readonly folder: string;
  /** Ending of modules; undefined where every file may be one. */
  readonly ending?: RegExp;
}

/** Adds the targets of links among modules, and of links among these. Returns the reason why any file
 * may be the target of another link, where there is too much to search. */
export async function addLinkedModules(
  programs: Programs,
  { search, bases, home }: LinkPlaces,
): Promise<string | undefined> {
  const { modules, trees } = programs;
  const waiting: Waiting[] = [...modules, ...[...trees].map((folder) => ({ folder }))];
  const seen = new Set<string>();
  let undecided: string | undefined;
  for (const { folder, ending } of waiting) {
    const key = `${folder}\0${ending?.source}`;
    if (seen.has(key)) continue;
    seen.add(key);
    // The home folder belongs to the person.
    if (isBelow(home, folder) && !bases.includes(folder)) {
      waiting.push(...bases.map((base) => ({ folder: base, ending })));
      continue;
    }
    const { links, gap, namesOf } = await search.below(folder);
    undecided ??= gap;
    for (const link of links) {
      const names = await namesOutside(link, { namesOf, folder, ending });
      const usable = names.filter((name) => bases.some((base) => isEither(name, base)));
      waiting.push(...await addTargets(usable, { link, ending, programs }));
    }
  }
  return undecided;
}

/** All names of what a link leads to; none where it stays among the modules, and so counts already. */
async function namesOutside(
  link: Link,
  { namesOf, folder, ending }: Waiting & Pick<Found, "namesOf">,
): Promise<readonly string[]> {
  const hasEnding = ending?.test(basename(link.path)) && !ending.test(basename(link.target));
  if (!hasEnding && isBelow(link.target, folder)) return [];
  return await namesOf(link);
}

function isEither(path: string, base: string): boolean {
  return isBelow(path, base) || isBelow(base, path);
}

interface Target extends Omit<Waiting, "folder"> {
  readonly link: Link;
  readonly programs: Programs;
}

/** Adds the names of a target; returns the folders to search. */
async function addTargets(
  names: readonly string[],
  { link: { path }, ending, programs: { files, modules, trees } }: Target,
): Promise<Waiting[]> {
  if (names.length === 0) return [];
  const isFile = await stat(path).then((info) => info.isFile(), () => false);
  if (isFile || ending?.test(basename(path))) {
    if (!ending || ending.test(basename(path))) { for (const name of names) files.add(name); }
    return [];
  }
  const folders = names.map((folder) => ({ folder, ending }));
  for (const { folder } of folders) {
    if (ending) modules.push({ folder, ending });
    else trees.add(folder);
  }
  return folders;
}

/** Adds what links in `node_modules` lead to, where programs start: packages of a workspace. */
export async function addLinkedPackages(
  { modules, starts }: Programs,
  { search, bases }: LinkPlaces,
): Promise<string | undefined> {
  const targets = new Set<string>();
  let undecided: string | undefined;
  for (const start of starts) {
    const packages = join(start, "node_modules");
    const { links, gap, namesOf } = await search.below(packages);
    undecided ??= gap;
    for (const link of links.filter(({ target }) => !isBelow(target, packages))) {
      for (const name of await namesOf(link)) targets.add(name);
    }
  }
  const usable = [...targets].filter((name) => bases.some((base) => isEither(name, base)));
  for (const folder of usable) modules.push({ folder, ending: MODULES.javascript });
  return undecided;
}
