/** Places of git's repositories, with those of their worktrees and submodules. */

import { dirname, join } from "node:path";
import { attempt, createTurns } from "#base";
import { entriesIn, readRegularText, under } from "#files";
import { realOf } from "../link_names.ts";

const MOST_BYTES = 64 * 1024;
/** Limit of the entries among which submodules are looked for. */
const MOST_ENTRIES = 50_000;

export interface Repository {
  /** Folder that has an entry `.git`, where it is known. */
  readonly root: string;
  readonly dir: string;
  /** Folder of settings and hooks, which the repository of a linked work tree shares. */
  readonly shared: string;
}

/** Places of the repository in a folder; a worktree or a submodule has a file `.git`, a bare repository
 * none. */
export function repositoryAt(root: string): Repository {
  const git = join(root, ".git");
  if (!attempt(() => Deno.lstatSync(git))) return { root, dir: root, shared: root };
  const link = /^gitdir: (.*)$/m.exec(textOf(git))?.[1];
  const dir = link === undefined ? git : realOf(under(root, link));
  const common = textOf(join(dir, "commondir")) || ".";
  return { root, dir, shared: realOf(under(dir, common.trim())) };
}

/** Empty for a file that is not there. */
function textOf(file: string): string {
  return attempt(() => readRegularText(file, MOST_BYTES)) ?? "";
}

/** Repositories in folders, and those that share their settings or lie in them, wherever their work
 * trees are; undefined if there are over 50,000 entries to look at. */
export async function withRelated(
  roots: readonly string[],
): Promise<Repository[] | undefined> {
  const all = roots.map(repositoryAt);
  const dirs = new Set(all.map(({ dir }) => dir));
  const seen = new Set<string>();
  let left = MOST_ENTRIES;
  for (const { dir, shared } of all) {
    // The main work tree has settings of its own, too.
    for (const one of new Set([shared, dir])) {
      if (seen.has(one)) continue;
      seen.add(one);
      const modules = await modulesIn(join(one, "modules"), left);
      if (modules === undefined) return undefined;
      left -= modules.looked;
      const others = [...worktreesOf(one), ...modules.repositories];
      if (one !== dir) others.push(mainOf(one));
      all.push(...others.filter((other) => !dirs.has(other.dir)));
    }
  }
  return all;
}

/** The repository that others share. */
function mainOf(shared: string): Repository {
  const root = shared.endsWith("/.git") ? dirname(shared) : shared;
  return { root, dir: shared, shared };
}

function worktreesOf(shared: string): Repository[] {
  return entriesIn(join(shared, "worktrees")).map(({ name }) => {
    const dir = join(shared, "worktrees", name);
    const git = textOf(join(dir, "gitdir")).trim();
    return { root: git === "" ? dir : realOf(dirname(under(dir, git))), dir, shared };
  });
}

interface Modules {
  readonly repositories: readonly Repository[];
  readonly looked: number;
}

/** Repositories of submodules, whose names may have several parts. */
async function modulesIn(folder: string, most: number): Promise<Modules | undefined> {
  const repositories: Repository[] = [];
  const waiting = new Set([realOf(folder)]);
  const turn = createTurns();
  let looked = 0;
  for (const at of waiting) {
    await turn();
    const entries = entriesIn(at);
    const names = entries.map(({ name }) => name);
    looked += 1 + names.length;
    if (looked > most) return undefined;
    const isWhole = ["HEAD", "objects", "refs"].every((name) => names.includes(name));
    if (isWhole || names.includes("config")) repositories.push({ root: at, dir: at, shared: at });
    // What is in it is looked at as its own.
    if (isWhole) continue;
    for (const { name, isDirectory, isSymlink } of entries) {
      const child = join(at, name);
      if (isDirectory) waiting.add(child);
      else if (isSymlink && attempt(() => Deno.statSync(child).isDirectory)) {
        waiting.add(realOf(child));
      }
    }
  }
  return { repositories, looked };
}
