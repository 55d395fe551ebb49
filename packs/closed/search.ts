/** Search of folders for links and for the roots of projects. Links are not followed. */

import { idle, shorten } from "#base";
import { isNothing } from "#files";
import { CLIENT_MARKS, WORKSPACE } from "./command/client_names.ts";
import { isRepository } from "./git/repositories.ts";
import { type Link, linkAt, realOf, resolverOf, twinAmong, type Way, wayOf } from "./link_names.ts";
import { isUnchanged, type Mark, markOf } from "./mark.ts";
import { isBelow, isLeftOut, ROOT_MARKS, STATE_FOLDER } from "./names.ts";

/** Standard limit of the folders that one search looks at. */
const MOST_FOLDERS = 200_000;
/** Time after which a package's folder is read again. Package managers replace whole packages, and
 * each search reads the folder that holds these. */
const PACKAGE_MS = 10_000;
/** Number of groups of these folders, which are due at different times. */
const SHARES = 4;
/** Number of folders and entries after which the search yields to other work. */
const TURN = 10_000;

export interface Found {
  readonly links: readonly Link[];
  /** Folders below the last level of the search, which were not searched. */
  readonly folders: readonly string[];
  /** Folders that Toolscript or git fills, which were left out. */
  readonly filled: readonly string[];
  /** Folders with a mark of a project's root. */
  readonly roots: readonly string[];
  /** Folders with an entry `.git`, and bare repositories. */
  readonly repositories: readonly string[];
  /** Virtual environments of Python, and those of conda. */
  readonly environments: readonly string[];
  /** Folders with names of files by which clients start programs, but for those of packages. */
  readonly clients: readonly string[];
  /** Folders of the name `.onetool`. */
  readonly states: readonly string[];
  /** Files whose names look like those of secrets files or of their copies. */
  readonly secrets: readonly string[];
  /** Reason why a link that the search has missed may lead anywhere. */
  readonly gap?: string;
  /** Way to what a link leads to. */
  wayOf(link: Link): Way;
}

/** Search of all levels below a folder, or of some. Two searches may share their work. */
export interface Search {
  below(folder: string, options?: BelowOptions): Promise<Found>;
  /** Searches `count` levels; the first is the folder itself. */
  levels(folder: string, count: number): Promise<Found>;
}

export interface BelowOptions {
  /** True to search folders that Toolscript or git fills as well, because a link leads to `folder`.
   * A folder inside such a one is searched in any case. */
  readonly isTarget?: boolean;
}

export interface SearcherDeps {
  readonly now: () => number;
  /** Limit of folders that a search looks at (200,000). */
  readonly most?: number;
}

/** Creates searches. Each checks a folder once, and reads it again only if it has changed since the
 * search before. Folders that Toolscript or git fills are left out. */
export function createSearcher(
  { now, most = MOST_FOLDERS }: SearcherDeps,
): () => Search {
  let kept: ReadonlyMap<string, Folder> = new Map();
  return () => {
    const before = kept;
    const tops = new Map<string, Folder>();
    kept = tops;
    const look: Look = { now: now() };
    function start(path: string, levels: number, inFilled = false): Promise<Found> {
      const top = tops.get(path) ?? before.get(path) ?? unread(path);
      tops.set(path, top);
      return searchFrom(top, { look, levels, most, inFilled });
    }
    const wholes: { readonly folder: string; readonly search: Promise<Found> }[] = [];
    return {
      levels: start,
      async below(name, { isTarget = false } = {}) {
        const folder = realOf(name);
        let whole = wholes.find((one) => isBelow(folder, one.folder));
        if (!whole) wholes.push(whole = { folder, search: start(folder, Infinity) });
        const all = await whole.search;
        const isMissing = all.filled.some((one) => {
          return isBelow(folder, one) || (isTarget && isBelow(one, folder));
        });
        return isMissing ? await start(folder, Infinity, true) : partOf(all, folder);
      },
    };
  };
}

/** One search; compared by identity. */
interface Look {
  readonly now: number;
}

/** Folder in the state in which it was last read. */
interface Folder extends Listing {
  readonly path: string;
  /** Mark of the listing; undefined where it has to be read again. */
  mark: Mark | undefined;
  /** The last search that looked at it. */
  look: Look | undefined;
  readonly isOfPackage: boolean;
  /** Time of that search, milliseconds. */
  at: number;
}

interface Listing {
  links: readonly Link[];
  folders: readonly Folder[];
  filled: readonly Folder[];
  secrets: readonly string[];
  isRoot: boolean;
  isRepository: boolean;
  isEnvironment: boolean;
  isOfClients: boolean;
}

const NONE = { isRoot: false, isRepository: false, isEnvironment: false, isOfClients: false };
const EMPTY: Listing = { links: [], folders: [], filled: [], secrets: [], ...NONE };

function unread(path: string, isOfPackage = false): Folder {
  return { path, isOfPackage, ...EMPTY, mark: undefined, look: undefined, at: -Infinity };
}

interface Options {
  readonly look: Look;
  readonly levels: number;
  readonly most: number;
  /** True to search folders that Toolscript or git fills. */
  readonly inFilled: boolean;
}

async function searchFrom(
  top: Folder,
  { look, levels, most, inFilled }: Options,
): Promise<Found> {
  const links: Link[] = [];
  const filled: string[] = [];
  const seen: Folder[] = [];
  let waiting = [top];
  let gap: string | undefined;
  let work = 0;
  for (let left = levels; left > 0 && waiting.length > 0 && !gap; left--) {
    const next: Folder[] = [];
    for (const folder of waiting) {
      if (seen.length === most) gap ??= tooMany(top, { seen, most });
      if (gap !== undefined) break;
      seen.push(folder);
      try {
        work += refresh(folder, look);
      } catch {
        gap = `a link below ${shorten(folder.path, 300)} may lead there, which cannot be listed`;
      }
      for (const link of folder.links) links.push(link);
      for (const child of folder.folders) next.push(child);
      if (inFilled) next.push(...folder.filled);
      else filled.push(...folder.filled.map(({ path }) => path));
      if (work < TURN) continue;
      work = 0;
      await idle();
    }
    waiting = next;
  }
  return {
    links,
    folders: waiting.map(({ path }) => path),
    filled,
    roots: seen.filter(({ isRoot }) => isRoot).map(({ path }) => path),
    repositories: seen.filter(({ isRepository }) => isRepository).map(({ path }) => path),
    environments: seen.filter(({ isEnvironment }) => isEnvironment).map(({ path }) => path),
    clients: seen.filter(({ isOfClients }) => isOfClients).map(({ path }) => path),
    states: seen.filter(({ path }) => path.endsWith(`/${STATE_FOLDER}`)).map(({ path }) => path),
    secrets: seen.flatMap(({ secrets }) => secrets),
    gap,
    wayOf: levels === Infinity ? resolverOf(top.path, links) : wayOf,
  };
}

/** Writes the reason why a search is too large: it names the entry of the top folder that holds
 * most of the folders searched so far. */
function tooMany(
  { path, folders }: Folder,
  { seen, most }: { readonly seen: readonly Folder[]; readonly most: number },
): string {
  const counts = new Map(folders.map((folder) => [folder.path, 0]));
  for (const { path: one } of seen) {
    const end = one.indexOf("/", path.length + 1);
    const child = end < 0 ? one : one.slice(0, end);
    counts.set(child, (counts.get(child) ?? 0) + 1);
  }
  const [[largest] = [path]] = [...counts].sort(([, one], [, other]) => other - one);
  const limit = most.toLocaleString("en");
  return `a link below "${largest}" may lead there, which has over ${limit} folders to search, ` +
    "with those beside it";
}

function partOf(whole: Found, folder: string): Found {
  return {
    ...whole,
    links: whole.links.filter(({ path }) => isBelow(path, folder)),
    filled: whole.filled.filter((path) => isBelow(path, folder)),
    roots: whole.roots.filter((path) => isBelow(path, folder)),
    repositories: whole.repositories.filter((path) => isBelow(path, folder)),
    clients: whole.clients.filter((path) => isBelow(path, folder)),
    states: whole.states.filter((path) => isBelow(path, folder)),
    secrets: whole.secrets.filter((path) => isBelow(path, folder)),
    environments: whole.environments.filter((path) => isBelow(path, folder)),
  };
}

/** True for folders of packages in `node_modules`, but not below a name that begins with a dot. */
function isOfPackage(name: string, parent: Folder): boolean {
  if (name === "node_modules" || /^[.@]/.test(name)) return false;
  return parent.isOfPackage || /\/node_modules(?:\/@[^/]*)?$/.test(parent.path);
}

function isFresh({ isOfPackage, at }: Folder, { now }: Look): boolean {
  return isOfPackage && Math.abs(now - at) < PACKAGE_MS;
}

/** Reads a folder again if it has changed. A path that is no folder, or that this user cannot look
 * at, counts as empty. Returns the amount of work. */
function refresh(folder: Folder, look: Look): number {
  if (folder.look === look || isFresh(folder, look)) return 0;
  folder.look = look;
  folder.at = look.now;
  try {
    const info = Deno.lstatSync(folder.path);
    if (isUnchanged(info, folder.mark)) return 1;
    folder.mark = undefined;
    if (!info.isDirectory) throw new Deno.errors.NotADirectory();
    const count = list(folder);
    folder.mark = markOf(info, look.now);
    // Different times, so that not all folders are due at once.
    folder.at -= ((info.ino ?? 0) % SHARES) * (PACKAGE_MS / SHARES);
    return count;
  } catch (error) {
    Object.assign(folder, EMPTY);
    folder.mark = undefined;
    if (isNothing(error, folder.path)) return 1;
    folder.look = undefined; // each search tells
    folder.at = -Infinity;
    throw error;
  }
}

const MARKS = new Set(ROOT_MARKS);
const SECRETS = /secrets|\.before-toolscript/i;
const ENVIRONMENT = /^(?:pyvenv\.cfg|conda-meta)$/i;

/** Reads a folder; returns the number of its entries. */
function list(folder: Folder): number {
  const children = [...folder.folders, ...folder.filled];
  const before = new Map(children.map((child) => [child.path, child]));
  // A child may have been replaced: it is due again.
  for (const child of children) child.at = -Infinity;
  const links: Link[] = [];
  const folders: Folder[] = [];
  const filled: Folder[] = [];
  const secrets: string[] = [];
  let [isRoot, hasGit, isEnvironment, hasClient, count] = [false, false, false, false, 1];
  const prefix = folder.path === "/" ? "/" : `${folder.path}/`;
  const entries = [...Deno.readDirSync(folder.path)];
  if (twinAmong(entries, ({ isFile }) => !isFile)) throw new Error("two entries have one name");
  for (const { name, isSymlink, isDirectory } of entries) {
    count++;
    if (isSymlink) {
      const path = `${prefix}${name}`;
      const link = linkAt(path, folder.path);
      if (link !== undefined) links.push(link);
    } else if (isDirectory) {
      const path = `${prefix}${name}`;
      const child = before.get(path) ?? unread(path, isOfPackage(name, folder));
      (isLeftOut(path) ? filled : folders).push(child);
    } else if (SECRETS.test(name)) secrets.push(`${prefix}${name}`);
    if (MARKS.has(name)) isRoot = true;
    if (ENVIRONMENT.test(name)) isEnvironment = true;
    if (CLIENT_MARKS.has(name.toLowerCase()) || WORKSPACE.test(name)) hasClient = true;
    if (name === ".git") hasGit = true;
  }
  const isOther = !/\/\.git(?:\/|$)/.test(folder.path) && isRepository(entries);
  const isOfClients = hasClient && !/\/node_modules(?:\/|$)/.test(folder.path);
  const is = { isRoot, isRepository: hasGit || isOther, isEnvironment, isOfClients };
  Object.assign(folder, { links, folders, filled, secrets, ...is });
  return count;
}
