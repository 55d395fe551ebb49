/** Repositories in folders that are not called `.git`: git finds them, and starts what their
 * configuration names. */

import { join } from "node:path";
import { keyOf } from "./names.ts";
import { partsBelow, type WriteRules } from "./writing.ts";

/** Names in a repository's folder that make one of it, or say what git starts there. */
const IN_REPOSITORY =
  /^(?:branches|commondir|config(?:\.worktree)?|gitdir|hooks|index|info|modules|objects|packed-refs|refs|worktrees)$/;
const MARK = "HEAD";

/** True if a real path is a repository's `HEAD`, or lies beside one under a name of git's. */
export async function isInGitFolder(path: string, rules: WriteRules): Promise<boolean> {
  const names = path.split("/");
  const parts = partsBelow(keyOf(path), rules);
  const last = parts.at(-1);
  if (last !== undefined && isMark(names[last.depth] ?? "", last.part) && !await isFolder(path)) {
    return true;
  }
  for (const { part, depth } of parts) {
    if (!IN_REPOSITORY.test(part)) continue;
    const mark = join(names.slice(0, depth).join("/") || "/", MARK);
    if (await Deno.lstat(mark).then((info) => !info.isDirectory, () => false)) return true;
  }
  return false;
}

/** File systems of other platforms ignore case, and a folder called `head` is usual. */
function isMark(name: string, key: string): boolean {
  return Deno.build.os === "linux" ? name === MARK : key === MARK.toLowerCase();
}

async function isFolder(path: string): Promise<boolean> {
  return await Deno.lstat(path).then((info) => info.isDirectory, () => false);
}
