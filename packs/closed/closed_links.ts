/** Files and folders that a link or a second hard link with a closed name leads to. */

import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { attempt, createTurns, shorten } from "#base";
import { hasTurn, isMissing, isNothing } from "#files";
import { isBelow, keyOf } from "./names.ts";
import { inodeOf, MANY, MOST_COMPARED } from "./read_rules.ts";
import { type Link, twinAmong } from "./link_names.ts";
import type { Found, Search } from "./search.ts";
import type { WideFolder } from "./write_rules.ts";

/** Limits of a search that must be complete. */
const MOST_BELOW = 100_000;
const DEEPEST = 64;
/** Limit of the name of a link in a refusal. */
const MOST_CHARACTERS = 100;
/** Levels that are searched of a folder that holds the home folder: all programs keep their data
 * there. */
const HOME_LEVELS = 5;

/** Folder to search, and which of the paths in it are closed. */
export interface Searched {
  readonly folder: string;
  readonly isClosed: (path: string) => boolean;
  /** Number of levels to search, 1 for the folder alone; all if missing. */
  readonly levels?: number;
  /** True if a link, or a setting, leads there. */
  readonly isTarget?: boolean;
}

export interface LinkPlaces {
  readonly search: Search;
  /** Folders that programs may use: nothing else needs to be closed. */
  readonly bases: readonly string[];
  /** Home folder. It belongs to the person, as do the folders above it. */
  readonly home: string;
}

/** Levels that are searched of a folder that programs may use; undefined for all. */
export function levelsOf(base: string, home: string): number | undefined {
  return isBelow(home, base) ? HOME_LEVELS : undefined;
}

/** Finds what is in a folder that programs may use. */
export function searchBase(base: string, { home, search }: LinkPlaces): Promise<Found> {
  const levels = levelsOf(base, home);
  return levels === undefined ? search.below(base) : search.levels(base, levels);
}

export interface LinkTargets {
  readonly targets: readonly string[];
  /** Links on the way to these. */
  readonly links: readonly string[];
  /** Folders that programs may use, and that a closed link leads to as a whole. */
  readonly wide: readonly WideFolder[];
  /** Reason why any file may be a target, where there is too much to search. */
  readonly undecided: string | undefined;
}

interface TargetPlaces extends Omit<LinkPlaces, "home"> {
  /** True if a link closes all of a folder that programs may use where it leads there. */
  readonly closesAll: (path: string) => boolean;
}

/** Targets of the closed links in folders, and of all links in folders that such links lead to.
 * Links into folders that Toolscript or git fills count as closed, because the contents of these
 * are. */
export async function targetsOfLinks(
  folders: readonly Searched[],
  { search, bases, closesAll }: TargetPlaces,
): Promise<LinkTargets> {
  const targets = new Set<string>();
  const passed = new Set<string>();
  const wide = new Map<string, WideFolder>();
  let undecided: string | undefined;
  const waiting = [...folders];
  const seen = new Set<string>();
  for (const { folder, isClosed, levels, isTarget } of waiting) {
    const whole = levels === undefined;
    const part = await (whole ? search.below(folder, { isTarget }) : search.levels(folder, levels));
    undecided ??= part.gap;
    for (const link of part.links) {
      if (!isClosed(link.path) && !isInFilled(link, part)) continue;
      const { names, links, real, gap } = part.wayOf(link);
      for (const name of names) targets.add(name);
      for (const name of links) passed.add(name);
      const all = closesAll(link.path) ? wideIn(names, { link, bases }) : [];
      const why = gap ?? all.find(({ folder }) => !bases.includes(folder))?.why;
      // Then every file is closed, and the other links add nothing.
      if (why !== undefined) {
        return { targets: [...targets], links: [...passed], wide: [], undecided: why };
      }
      const fresh = all.filter(({ folder }) => !wide.has(folder));
      for (const one of fresh) wide.set(one.folder, one);
      waiting.push(...fresh.map(({ folder }) => {
        const levels = folders.find((one) => one.folder === folder)?.levels;
        return { folder, isClosed: () => true, isTarget: true, levels };
      }));
      if (seen.has(real) || bases.some((base) => isBelow(base, real))) continue;
      seen.add(real);
      if (!await isFolder(real)) continue;
      waiting.push({ folder: real, isClosed: () => true, isTarget: true });
    }
  }
  return { targets: [...targets], links: [...passed], wide: [...wide.values()], undecided };
}

/** Names of a link's target that are folders that programs may use, or hold some. */
function wideIn(
  names: readonly string[],
  { link: { path }, bases }: Pick<LinkPlaces, "bases"> & { readonly link: Link },
): WideFolder[] {
  return names.filter((name) => bases.some((base) => isBelow(keyOf(base), keyOf(name))))
    .map((folder) => {
      const [link, all] = [path, folder].map((path) => shorten(path, MOST_CHARACTERS));
      return { folder, why: `a closed link, ${link}, leads to all of ${all}` };
    });
}

function isInFilled(link: Link, { filled, wayOf }: Found): boolean {
  if (link.target === undefined) return false;
  const path = hasTurn(link.target) ? wayOf(link).real : link.target;
  return filled.some((folder) => isBelow(path, folder));
}

function isFolder(path: string): Promise<boolean> {
  return lstat(path).then((info) => info.isDirectory(), () => false);
}

/** Folders above and below those that programs may use in which clients may find files of their own. */
export async function foldersOfClients(places: LinkPlaces): Promise<string[]> {
  const folders = new Set<string>();
  for (const base of places.bases) {
    for (const folder of foldersOver(base, places.home)) if (isOwn(folder)) folders.add(folder);
    for (const folder of (await searchBase(base, places)).clients) folders.add(folder);
  }
  return [...folders];
}

/** Folders above another one, but for those that hold the home folder. */
function* foldersOver(base: string, home: string): Generator<string> {
  for (let at = dirname(base); at !== dirname(at) && !isBelow(home, at); at = dirname(at)) yield at;
}

/** True for a folder of this user: others may not close what is not theirs. */
function isOwn(folder: string): boolean {
  return attempt(() => Deno.statSync(folder).uid) === Deno.uid();
}

/** Folders above others, up to the outermost repository below the home folder that these lie in. */
export async function foldersAround(
  { bases, home }: Pick<LinkPlaces, "bases" | "home">,
): Promise<string[]> {
  const around = new Set<string>();
  for (const base of bases) {
    const above = [...foldersOver(base, home)];
    let outermost = 0;
    for (const [at, folder] of above.entries()) {
      if (await lstat(join(folder, ".git")).then(() => true, () => false)) outermost = at + 1;
    }
    for (const folder of above.slice(0, outermost)) around.add(folder);
  }
  return [...around];
}

export interface HardLinkSearch {
  readonly isClosed: (path: string) => boolean;
  /** True for folders that are left out (none). */
  readonly isLeftOut?: (folder: string) => boolean;
  /** Limit of entries (50,000). */
  readonly most?: number;
}

/** Closed files with more than one hard link, as `device:inode`; a reason if they cannot be
 * determined. */
export async function hardLinks(
  folders: readonly string[],
  { isClosed, isLeftOut = () => false, most = MOST_COMPARED }: HardLinkSearch,
): Promise<string[] | string> {
  const inodes = new Set<string>();
  const waiting = [...folders];
  const turn = createTurns();
  let left = most;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (left-- < 0) return `there are over ${MANY} entries to compare it with`;
    await turn();
    const info = infoOf(path);
    if (info === "unknown") return unknown(path);
    if (info?.isFile && (info.nlink ?? 1) > 1 && isClosed(path)) inodes.add(inodeOf(info));
    if (!info?.isDirectory) continue;
    const pathOf = ({ name }: Deno.DirEntry) => join(path, name);
    const matters = (entry: Deno.DirEntry) => {
      const path = pathOf(entry);
      return entry.isDirectory ? !isLeftOut(path) && !isGitData(path) : isClosed(path);
    };
    const entries = await entriesOf(path);
    const twin = twinAmong(entries, matters);
    if (twin !== undefined) return unknown(join(path, twin));
    for (const entry of entries) if (matters(entry)) waiting.push(pathOf(entry));
  }
  return [...inodes];
}

function unknown(path: string): string {
  return `${shorten(path, MOST_CHARACTERS)} cannot be looked at`;
}

function infoOf(path: string): Deno.FileInfo | "unknown" | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    return isNothing(error, path) ? undefined : "unknown";
  }
}

/** Entries of a folder, which may be large. */
async function entriesOf(folder: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    if (isNothing(error, folder)) return [];
    throw error;
  }
}

/** True for folders of git's objects, of which git starts nothing. */
function isGitData(path: string): boolean {
  return /\/\.git\/(?:lfs\/|modules\/.+\/)?objects$/s.test(path);
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
    return isMissing(error, folder) ? [] : undefined;
  }
}
