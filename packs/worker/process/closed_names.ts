/** Names that are closed to the process of a TypeScript pack. Deno compares paths by name and then
 * follows links: each link that leads out of what is granted is closed by its own names. */

import { join, relative } from "node:path";
import { cloneOf } from "#files";
import { linksBelow } from "../../closed/closed_links.ts";
import { PackUnusable } from "../failure.ts";
import {
  type Folder,
  folderOf,
  foldersAbove,
  holds,
  type Link,
  linkAt,
  type RealReach,
  realReachOf,
} from "./real_reach.ts";
import { linksOut } from "./links_out.ts";
import { type ForPaths, type Places, type Reach, within } from "./permissions.ts";
import { stateNames } from "./state_names.ts";

export type Closed = ForPaths<readonly string[]>;

export interface ClosedRequest {
  /** Name of the pack, for errors. */
  readonly pack: string;
  readonly paths: ForPaths<Reach>;
  readonly places: Places;
}

/** Limit of a list in a flag: Linux takes 128 KiB. */
const MOST_CHARACTERS = 100_000;

/** Reads the disk. Throws `PackUnusable` where there is too much to search, and where no flag of Deno
 * closes what a link leads to. */
export async function closedNames({ pack, paths, places }: ClosedRequest): Promise<Closed> {
  const { project, home, folder } = places;
  const fix = `in packs.${pack}.permissions`;
  const state = await stateNames(places);
  const own = [folder, places.own].map(folderOf);
  const at = { project, clone: cloneOf(project, home) };
  const read = await realReachOf(paths.read, { ...at, own, state: state.read });
  const write = await realReachOf(paths.write, { ...at, own: [], state: state.write });
  const granted = [...read.folders, ...write.folders, folderOf(folder)];
  const links = await linksIn(granted, fix);
  const closed = {
    read: linksOut(read, links),
    write: linksOut(write, links),
  };
  const kept = [...closed.read, ...closed.write].map(({ real }) => real);
  const holders = holdersOf([...kept, ...state.write], { read, write, fix });

  const named = [...granted, ...[project, home].map(folderOf)];
  const lists = {
    read: unique([...state.read, ...closed.read.flatMap((link) => namesOf(link, named))]),
    write: unique([
      ...state.write,
      ...closed.write.flatMap((link) => namesOf(link, named)),
      ...holders.flatMap((real) => namesOf({ names: [], real }, named)),
    ]),
  };
  if (Math.max(lists.read.join().length, lists.write.join().length) > MOST_CHARACTERS) {
    throw unusable("too many links lead out of its folders", `grant smaller folders ${fix}`);
  }
  return lists;
}

async function linksIn(folders: readonly Folder[], fix: string): Promise<Link[]> {
  const scanned = topmost(folders.map(({ real }) => real));
  const paths = await linksBelow(scanned);
  if (!paths) {
    const places = scanned.map((folder) => `"${folder}"`).join(", ");
    throw unusable(`too large to look for links: ${places}`, `grant a smaller folder ${fix}`);
  }
  const links: Link[] = [];
  // One after the other: thousands of answers at once would hold the event loop.
  for (const path of paths) links.push(await linkAt(path));
  return links;
}

/** Folders that hold closed names, and that the pack could move: the names would be open there. */
function holdersOf(
  kept: readonly string[],
  { read, write, fix }: {
    readonly read: RealReach;
    readonly write: RealReach;
    readonly fix: string;
  },
): string[] {
  const tops = topmost(write.folders.map(({ real }) => real));
  const isReadable = (path: string) => read.isAll || holds([...read.folders, ...read.own], path);
  const holders = new Set<string>();
  for (const top of tops) {
    for (const name of kept.filter((name) => name !== top && within(name, top))) {
      const chain = foldersAbove(name).filter((folder) => within(folder, top)).reverse();
      const holder = chain.find((folder) =>
        isReadable(folder) && (folder !== top || tops.length > 1)
      );
      if (holder === top) {
        const state = `it could move "${top}" into another folder, with closed names in it`;
        throw unusable(state, `grant one folder alone, or folders without "${name}", ${fix}`);
      }
      if (holder !== undefined) holders.add(holder);
    }
  }
  return [...holders];
}

/** Names by which a pack may use a path: as given, real, and below each granted folder in the
 * spelling of its grant. */
function namesOf(
  { names, real }: { readonly names: readonly string[]; readonly real: string },
  folders: readonly Folder[],
): string[] {
  const spelled = folders.filter((folder) => within(real, folder.real))
    .map((folder) => join(folder.name, relative(folder.real, real)));
  return [...names, real, ...spelled];
}

/** Folders that lie in no other of the list. */
function topmost(folders: readonly string[]): string[] {
  const all = new Set(folders);
  return [...all].filter((folder) => !foldersAbove(folder).some((above) => all.has(above)));
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function unusable(message: string, fix: string): PackUnusable {
  return new PackUnusable(message, { phrase: "links cannot be closed", fix });
}
