/** Modules behind links, which a program loads by the names of the links, and what links of the home
 * folder lead to. */

import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasTurn } from "#files";
import type { LinkPlaces } from "./closed_links.ts";
import { MODULES } from "./languages.ts";
import { type Link, realOf } from "./link_names.ts";
import { isBelow } from "./names.ts";
import { infoOf, type Programs } from "./scripts.ts";
import type { Found } from "./search.ts";

/** Folders of the home folder with settings and programs, in which links are looked for. */
const SETTINGS = new Set(
  (".config .claude .codex .cursor .gemini .kiro .copilot .ssh .local bin .onetool .vscode-server " +
    "Library AppData").split(" "),
);
const MOST_HOME = { levels: 4, entries: 5_000 };

/** Adds what links of the home folder lead to where shells, editors and clients look for settings and
 * programs, and Toolscript for packs. */
export async function addHomeLinks(
  { files, trees }: Pick<Programs, "files" | "trees">,
  { bases, home }: LinkPlaces,
): Promise<void> {
  // Then the search of that folder reads its links.
  if (bases.some((base) => isBelow(home, base))) return;
  const folders = [{ folder: home, level: 0 }];
  let left = MOST_HOME.entries;
  for (const { folder, level } of folders) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const isSetting = level > 0 || SETTINGS.has(entry.name);
      if (--left < 0) return;
      if (entry.isDirectory() && isSetting && level < MOST_HOME.levels) {
        folders.push({ folder: join(folder, entry.name), level: level + 1 });
      }
      if (!entry.isSymbolicLink() || !(isSetting || entry.name.startsWith("."))) continue;
      const target = realOf(join(folder, entry.name));
      const isWhole = bases.some((base) => isBelow(base, target));
      if (isWhole || !bases.some((base) => isBelow(target, base))) continue;
      ((await infoOf(target))?.isDirectory() ? trees : files).add(target);
    }
  }
}

interface Waiting {
  readonly folder: string;
  /** Ending of modules; undefined where every file may be one. */
  readonly ending?: RegExp;
  /** True if a link leads there. */
  readonly isTarget?: boolean;
}

/** Adds the targets of links among modules, and of links among those targets. Returns the reason
 * why any file may be the target of another link, where there is too much to search. */
export async function addLinkedModules(
  programs: Programs,
  { search, bases, home }: LinkPlaces,
): Promise<string | undefined> {
  const { modules, trees } = programs;
  const waiting: Waiting[] = [...modules, ...[...trees].map((folder) => ({ folder }))];
  const seen = new Set<string>();
  let undecided: string | undefined;
  for (const { folder, ending, isTarget } of waiting) {
    const key = `${folder}\0${ending?.source}\0${isTarget}`;
    if (seen.has(key)) continue;
    seen.add(key);
    // The home folder belongs to the person.
    if (isBelow(home, folder) && !bases.includes(folder)) {
      waiting.push(...bases.map((base) => ({ folder: base, ending })));
      continue;
    }
    const part = await search.below(folder, { isTarget });
    undecided ??= part.gap;
    for (const link of part.links) {
      if (staysAmong(link, { part, folder, ending, bases })) continue;
      const { names, gap } = part.wayOf(link);
      if (gap !== undefined) return gap;
      const usable = names.filter((name) => bases.some((base) => isEither(name, base)));
      waiting.push(...await addTargets(usable, { link, ending, programs }));
    }
  }
  return undecided;
}

interface Among extends Waiting, Pick<LinkPlaces, "bases"> {
  readonly part: Found;
}

/** True for a link whose target lies among the modules that were searched: the target counts as a
 * module already. */
function staysAmong(
  { path, target }: Link,
  { part: { filled }, folder, ending, bases }: Among,
): boolean {
  if (target === undefined || hasTurn(target) || !isBelow(target, folder)) return false;
  if (ending?.test(basename(path)) && !ending.test(basename(target))) return false;
  const isBase = bases.some((base) => isBelow(base, target));
  return !filled.some((one) => isBelow(target, one) || (!isBase && isBelow(one, target)));
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
  const folders = names.map((folder) => ({ folder, ending, isTarget: true }));
  for (const { folder } of folders) {
    if (ending) modules.push({ folder, ending });
    else trees.add(folder);
  }
  return folders;
}

/** Adds the targets of links in `node_modules`, where programs start: packages of a workspace, and
 * their programs, of any ending. */
export async function addLinkedPackages(
  { files, modules, starts }: Programs,
  { search, bases }: LinkPlaces,
): Promise<string | undefined> {
  const [targets, programs] = [new Set<string>(), new Set<string>()];
  let undecided: string | undefined;
  for (const start of starts) {
    const packages = join(start, "node_modules");
    const { links, gap, wayOf } = await search.below(packages);
    undecided ??= gap;
    for (const link of links) {
      const isProgram = basename(dirname(link.path)) === ".bin";
      const { target = "" } = link;
      const stays = isBelow(target, packages) && !hasTurn(target);
      if (stays && !isProgram) continue;
      const way = wayOf(link);
      if (way.gap !== undefined) return way.gap;
      for (const name of way.names) (isProgram ? programs : targets).add(name);
    }
  }
  const isUsable = (name: string) => bases.some((base) => isEither(name, base));
  for (const name of [...programs].filter(isUsable)) files.add(name);
  for (const folder of [...targets].filter(isUsable)) {
    modules.push({ folder, ending: MODULES.javascript });
  }
  return undecided;
}
