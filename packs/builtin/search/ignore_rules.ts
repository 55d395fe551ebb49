/** Ignore files, as git and ripgrep read them: the deepest folder with a matching rule decides. */

import { dirname, join } from "node:path";
import { attempt } from "#base";
import { readRegularText } from "#files";
import ignoreFactory, { type Ignore } from "ignore";

/** By precedence. */
const FILES = [".rgignore", ".ignore", ".gitignore"] as const;
const MAX_BYTES = 1024 * 1024;

/** Rules of a folder and of those above it. */
export interface Level {
  readonly folder: string;
  readonly files: readonly (Ignore | undefined)[];
  /** True at the root of a repository: a `.gitignore` above it does not apply. */
  readonly hasGit: boolean;
  readonly above: Level | undefined;
}

/** Reads the ignore files of a folder; `names` are its entries. */
export function levelOf(folder: string, names: ReadonlySet<string>, above?: Level): Level {
  const files = FILES.map((name) => names.has(name) ? read(join(folder, name)) : undefined);
  return { folder, files, hasGit: names.has(".git"), above };
}

/** Rules above a folder. Undefined if they ignore the folder itself: a caller who names an ignored
 * folder wants to search it. */
export function levelsAbove(folder: string): Level | undefined {
  const parents: string[] = [];
  for (let at = folder; at !== dirname(at); at = dirname(at)) parents.unshift(dirname(at));
  let level: Level | undefined;
  for (const parent of parents) level = levelOf(parent, namesThere(parent), level);
  return level && isIgnored(level, folder, true) ? undefined : level;
}

/** True if a folder above has an ignore file. Reads no rules: matching them may take long and runs in a
 * worker. */
export function hasRulesAbove(folder: string): boolean {
  const parent = dirname(folder);
  const names = namesThere(parent);
  return FILES.some((name) => names.has(name)) || (parent !== folder && hasRulesAbove(parent));
}

/** True if the rules ignore an entry. */
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
    // The file does not exist, or this user may not see it.
    return attempt(() => Deno.lstatSync(join(folder, name))) !== undefined;
  }));
}

function read(path: string): Ignore | undefined {
  // An unreadable file has no rules.
  return attempt(() => {
    const text = readRegularText(path, MAX_BYTES);
    if (text === undefined) return undefined;
    return ignoreFactory({ ignorecase: false, allowRelativePaths: true }).add(text);
  });
}
