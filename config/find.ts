/** Where a project is, and which configuration files count for it. */

import { dirname, join, resolve } from "node:path";

const NAMES = [join(".onetool", "onetool.yaml"), join(".onetool", "config", "onetool.yaml")];

export interface Places {
  readonly cwd: string;
  readonly home: string;
}

/** The nearest folder, from `cwd` up, that has `.onetool/` or `.mcp.json`, else `cwd`.
 *
 * The home folder and what is above it are nobody's project: `~/.onetool` is for all of them. Nor
 * is a folder whose marker belongs to another user, who would decide what is started here. */
export async function findProject(places: Places): Promise<string> {
  const start = resolve(places.cwd);
  const home = resolve(places.home);
  for (let folder = start; folder !== home; folder = dirname(folder)) {
    if (await isMarked(folder, start)) return folder;
    if (dirname(folder) === folder) break;
  }
  return start;
}

/** The configuration file of a folder, if it has one. */
export async function findFile(folder: string): Promise<string | undefined> {
  for (const name of NAMES) {
    const file = join(folder, name);
    if ((await stat(file))?.isFile) return file;
  }
  return undefined;
}

/** `~` and `~/…` below the home folder, everything else below `base`; absolute. */
export function expandPath(path: string, options: { home: string; base: string }): string {
  if (path === "~") return options.home;
  if (path.startsWith("~/")) return join(options.home, path.slice(2));
  return resolve(options.base, path);
}

async function isMarked(folder: string, start: string): Promise<boolean> {
  for (const name of [".onetool", ".mcp.json"]) {
    const info = await stat(join(folder, name));
    if (info && (folder === start || isTrusted(info.uid))) return true;
  }
  return false;
}

function isTrusted(uid: number | null): boolean {
  return uid === null || uid === 0 || uid === Deno.uid();
}

async function stat(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch {
    // Not there, or not ours to see: both mean that it does not count.
    return undefined;
  }
}
