/** Ignore files, as git and ripgrep read them: the deepest folder that says anything decides. */

import { dirname, join } from "node:path";
import ignoreFactory, { type Ignore } from "ignore";

/** The earlier goes before the later. */
const FILES = [".rgignore", ".ignore", ".gitignore"] as const;
const MAX_BYTES = 1024 * 1024;

/** The rules of one folder, and of those above it. */
export interface Level {
  readonly folder: string;
  readonly files: readonly (Ignore | undefined)[];
  /** Whether a repository begins here: git's own files above it do not count. */
  readonly hasGit: boolean;
  readonly above: Level | undefined;
}

/** Reads the ignore files of a folder; `names` are what it holds. */
export function levelOf(folder: string, names: ReadonlySet<string>, above?: Level): Level {
  const files = FILES.map((name) => names.has(name) ? read(join(folder, name)) : undefined);
  return { folder, files, hasGit: names.has(".git"), above };
}

/** The rules above a folder, or undefined where these leave out the folder itself: then whoever
 * asks for it wants it nonetheless. */
export function levelsAbove(folder: string): Level | undefined {
  const parents: string[] = [];
  for (let at = folder; at !== dirname(at); at = dirname(at)) parents.unshift(dirname(at));
  let level: Level | undefined;
  for (const parent of parents) level = levelOf(parent, namesThere(parent), level);
  return level && isIgnored(level, folder, true) ? undefined : level;
}

/** Whether a folder above has an ignore file. Reads none: rules that others wrote may take long, and
 * are held against a path in a worker. */
export function hasRulesAbove(folder: string): boolean {
  const parent = dirname(folder);
  const names = namesThere(parent);
  return FILES.some((name) => names.has(name)) || (parent !== folder && hasRulesAbove(parent));
}

/** Whether the rules leave out an entry. */
export function isIgnored(level: Level, path: string, isFolder: boolean): boolean {
  for (const kind of FILES.keys()) {
    const isGits = FILES[kind] === ".gitignore";
    for (let at: Level | undefined = level; at; at = isGits && at.hasGit ? undefined : at.above) {
      const rules = at.files[kind];
      if (!rules) continue;
      const from = at.folder === "/" ? 1 : at.folder.length + 1;
      const { ignored, unignored } = rules.test(path.slice(from) + (isFolder ? "/" : ""));
      if (ignored || unignored) return ignored;
    }
  }
  return false;
}

function namesThere(folder: string): ReadonlySet<string> {
  return new Set([...FILES, ".git"].filter((name) => {
    try {
      Deno.lstatSync(join(folder, name));
      return true;
    } catch {
      // Not there, or not ours to see.
      return false;
    }
  }));
}

function read(path: string): Ignore | undefined {
  try {
    const info = Deno.statSync(path);
    if (!info.isFile || info.size > MAX_BYTES) return undefined;
    return ignoreFactory({ ignorecase: false, allowRelativePaths: true })
      .add(Deno.readTextFileSync(path));
  } catch {
    // One that cannot be read says nothing.
    return undefined;
  }
}
