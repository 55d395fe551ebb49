/** Searches of folders for links, within one bound. */

import { join } from "node:path";

/** A folder or a link. */
export interface Entry {
  readonly name: string;
  readonly path: string;
  readonly isLink: boolean;
}

/** A folder to search. */
export interface Waiting {
  readonly folder: string;
  /** Folder in which the search began, for messages. */
  readonly top: string;
}

/** Standard limit of the folders that one search reads. */
export const MOST_SEARCHED = 50_000;
/** The same for people. */
export const MANY = MOST_SEARCHED.toLocaleString("en");
/** Folders that are read at the same time. */
const BESIDE = 32;

export interface FolderSearch<T extends Waiting> {
  readonly start: readonly T[];
  /** Limit of folders. */
  readonly most: number;
}

/** Reads folders, the nearest first: `visit` takes the folders and links in each, and gives those to
 * read next. Returns the reason why a link that was not read may lead anywhere, where there are more
 * than the limit. */
export async function searchFolders<T extends Waiting>(
  { start, most }: FolderSearch<T>,
  visit: (item: T, entries: readonly Entry[]) => Promise<readonly T[]>,
): Promise<string | undefined> {
  const listings = new Map<string, Promise<Entry[]>>();
  function listed(folder: string): Promise<readonly Entry[]> {
    const listing = listings.get(folder) ?? foldersAndLinks(folder);
    listings.set(folder, listing);
    return listing;
  }
  const waiting = [...start];
  for (let at = 0; at < waiting.length;) {
    const items = waiting.slice(at, at + BESIDE);
    at += items.length;
    const lists = await Promise.all(items.map(({ folder }) => listed(folder)));
    if (listings.size > most) return tooMany(items.at(-1)?.top, most);
    for (const [index, item] of items.entries()) {
      for (const next of await visit(item, lists[index] ?? [])) waiting.push(next);
    }
  }
  return undefined;
}

async function foldersAndLinks(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const { name, isDirectory, isSymlink } of Deno.readDir(folder)) {
      if (isDirectory || isSymlink) {
        entries.push({ name, path: join(folder, name), isLink: isSymlink });
      }
    }
  } catch {
    // It is a file, or gone.
  }
  return entries;
}

function tooMany(folder: string | undefined, most: number): string {
  const limit = most.toLocaleString("en");
  return `a link below "${folder}" may lead there, which has over ${limit} folders to search`;
}
