/** Links in the folder of a repository: git reads ids, names and settings through them. */

import { join } from "node:path";
import { attempt, isUnclear } from "#base";
import { PackError } from "../../errors.ts";
import { mapBounded } from "../kit/map_bounded.ts";
import type { Folders } from "../kit/mod.ts";

export const ACTION = "read the repository at";
/** Entries that one call looks at. */
const MOST_ENTRIES = 250_000;
const FOLDERS_AT_ONCE = 16;
/** Entries in which git reads no refs for these calls, as `revisions.ts` takes no such names. `objects`
 * have a check of their own. */
const APART = new Set(["objects", "hooks", "lfs", "annex", "modules"]);

interface Folder {
  readonly path: string;
  /** Where the names of `APART` have their meaning; anywhere else they may be those of refs. */
  readonly kind: "repository" | "worktrees" | "other";
}

/** Throws `PackError` where a link in the folders of a repository, or behind such a link, leads to a
 * place that the caller may not read. A ref may have any path there, not only below `refs`. */
export async function checkLinks(
  places: readonly string[],
  folders: Folders,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Set<string>();
  let left = MOST_ENTRIES;
  async function look(folder: Folder): Promise<Folder[]> {
    const below: Folder[] = [];
    for await (const entry of entriesOf(folder.path)) {
      if (left-- <= 0) throw tooMany();
      const isApart = folder.kind === "repository" && APART.has(entry.name);
      const next = isApart && entry.isDirectory
        ? undefined
        : await folderAt(join(folder.path, entry.name), entry, folders);
      if (next !== undefined) below.push({ path: next, kind: kindBelow(folder, entry.name) });
    }
    return below;
  }
  let level: readonly Folder[] = places.map((path) => ({ path, kind: "repository" }));
  while (level.length > 0) {
    const fresh = level.filter(({ path, kind }) => {
      const key = `${kind} ${path}`;
      return !seen.has(key) && seen.add(key);
    });
    const options = { concurrent: FOLDERS_AT_ONCE, signal };
    level = (await mapBounded(fresh, options, look)).flat();
  }
}

function kindBelow({ kind }: Folder, name: string): Folder["kind"] {
  if (kind === "worktrees") return "repository";
  return kind === "repository" && name === "worktrees" ? "worktrees" : "other";
}

/** Real path of an entry that is a folder, or a link to one. */
async function folderAt(
  path: string,
  { isDirectory, isSymlink }: Deno.DirEntry,
  folders: Folders,
): Promise<string | undefined> {
  if (isDirectory) return path;
  // A text that is no UTF-8 is followed: it need not be the name of a ref.
  if (!isSymlink || isSymbolicRef(await attempt(() => Deno.readLink(path), ""))) return undefined;
  const place = await folders.existing(path, ACTION);
  return (await Deno.stat(place.path)).isDirectory ? place.path : undefined;
}

/** True for a link whose text is the name of a ref, which is how git once wrote symbolic refs. */
function isSymbolicRef(target: string): boolean {
  return target.startsWith("refs/") && !target.split("/").includes("..");
}

/** Entries of a folder in a repository. Throws `PackError` for a folder or a link whose name is
 * unclear, since its decoded name may lead to another entry, and for a folder that cannot be
 * listed, since git still reads entries whose names it has. */
export async function* entriesOf(folder: string): AsyncGenerator<Deno.DirEntry> {
  try {
    for await (const entry of Deno.readDir(folder)) {
      if (!entry.isFile && isUnclear(entry.name)) throw unclear(join(folder, entry.name));
      yield entry;
    }
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) throw unlisted(folder);
    // Git has removed it meanwhile.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function unclear(path: string): PackError {
  const why = `the name of ${JSON.stringify(path)} is no UTF-8, or looks so: rename or remove it`;
  return new PackError("tool_error", `Cannot read the repository: ${why}`);
}

function unlisted(path: string): PackError {
  const why = `the folder ${JSON.stringify(path)} cannot be listed: chmod u+r`;
  return new PackError("tool_error", `Cannot read the repository: ${why}`);
}

function tooMany(): PackError {
  const count = MOST_ENTRIES.toLocaleString("en");
  const why =
    `its folder holds over ${count} files besides objects: "git pack-refs --all" packs refs`;
  return new PackError("tool_error", `Cannot read the repository: ${why}`);
}
