/** Reach of one permission on the disk: real folders, and links. */

import { basename, dirname, join, relative } from "node:path";
import { realOf } from "../../closed/link_names.ts";
import { linkInClone } from "#files";
import { isBelow, keyOf } from "../../closed/names.ts";
import { type Reach, within } from "./permissions.ts";

export interface Folder {
  /** As it was given. */
  readonly name: string;
  readonly real: string;
}

export interface Link {
  /** Names as granted. */
  readonly names: readonly string[];
  /** Real path of the link itself. */
  readonly real: string;
  /** Real path behind it, which need not exist; undefined where it cannot be told. */
  readonly target: string | undefined;
}

export interface RealReach {
  /** True where everything is granted; `folders` holds the project then. */
  readonly isAll: boolean;
  /** Granted folders and files. */
  readonly folders: readonly Folder[];
  /** Granted names that a link below a grant leads elsewhere, or that are closed. */
  readonly links: readonly Link[];
  /** Folders that need no grant. */
  readonly own: readonly Folder[];
  /** Names that are always closed. */
  readonly state: readonly string[];
}

interface ReachPlaces extends Pick<RealReach, "own" | "state"> {
  readonly project: string;
  /** The project, or the repository around it. */
  readonly clone: string;
}

export async function realReachOf(
  { extent, bases }: Reach,
  { project, clone, own, state }: ReachPlaces,
): Promise<RealReach> {
  if (extent === true) {
    return { isAll: true, folders: [folderOf(project)], links: [], own, state };
  }
  const folders: Folder[] = [];
  const links: Link[] = [];
  for (const name of extent) {
    const target = await targetOf(name);
    // Links on the way to a grant are the user's; those below it, or in a clone, may be anyone's.
    const [base = name] = bases.filter((base) => within(name, base))
      .sort((one, other) => one.length - other.length);
    const isDirect = target === join(realOf(base), relative(base, name)) &&
      linkInClone(name, clone) === undefined;
    const key = keyOf(target ?? name);
    const isClosed = state.some((closed) => isBelow(key, keyOf(closed)));
    if (isDirect && !isClosed) folders.push({ name, real: target });
    else {
      const real = join(realOf(dirname(name)), basename(name));
      links.push({ names: [name], real, target });
    }
  }
  return { isAll: false, folders, links, own, state };
}

export function folderOf(name: string): Folder {
  return { name, real: realOf(name) };
}

/** Link at a real path; one that is no link, or leads to nothing, cannot be told. */
export async function linkAt(real: string): Promise<Link> {
  const target = await Deno.realPath(real).catch(() => undefined);
  return { names: [], real, target: target === real ? undefined : target };
}

/** Real path, also of what is not there; undefined where it cannot be told, as behind a link that leads
 * to nothing. */
async function targetOf(path: string): Promise<string | undefined> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    const isThere = await Deno.lstat(path).then(() => true, () => false);
    if (isThere || !(error instanceof Deno.errors.NotFound)) return undefined;
    const folder = await targetOf(dirname(path));
    return folder && join(folder, basename(path));
  }
}

export function holds(folders: readonly Folder[], path: string): boolean {
  return folders.some(({ real }) => within(path, real));
}

/** Folders above a path, the nearest first. */
export function foldersAbove(path: string): string[] {
  const above: string[] = [];
  for (let folder = dirname(path); folder !== path; folder = dirname(path)) {
    above.push(folder);
    path = folder;
  }
  return above;
}
