/** Programs that words name without a path: on `PATH`, behind shims, and npm's global packages. */

import { readdir, stat } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { isNothing } from "#files";
import { isScript } from "../languages.ts";
import { namesOf, pathIn, realOf } from "../link_names.ts";
import { isBelow, keyOf } from "../names.ts";
import { firstBytes, type Lookup } from "./first_bytes.ts";

/** A word that may be the name of a program. */
const NAME = /^(?!\.{1,2}$)[\w@.+][\w@.+-]*$/;
/** Limits of the programs and folders that are looked at, and of the programs behind a shim. */
const MOST = { programs: 500, folders: 200, versions: 200 };

interface UsableLookup extends Lookup {
  /** Folders that programs may use. */
  readonly allowed: readonly string[];
}

/** Looks names up on `PATH`. */
export interface NamedPrograms {
  /** Paths at which a name is. */
  onPath(names: readonly string[], lookup: Lookup): Promise<string[]>;
  /** Those that are scripts or shims, or that lie in an allowed folder: others lead nowhere. */
  leads(names: readonly string[], lookup: UsableLookup): Promise<string[]>;
}

/** Creates the lookup, which reads each folder and each program once. */
export function createNamedPrograms(): NamedPrograms {
  const folders = new Map<string, Promise<ReadonlySet<string> | undefined>>();
  const programs = new Map<string, Promise<boolean>>();

  async function onPath(words: readonly string[], lookup: Lookup): Promise<string[]> {
    const names = [...new Set(words)].filter((word) => NAME.test(word));
    const paths: string[] = [];
    for (const folder of names.length === 0 ? [] : foldersOf(lookup)) {
      const entries = await kept(folders, folder, keysIn);
      const there = names.filter((name) => entries?.has(keyOf(name)) ?? true);
      paths.push(...there.map((name) => join(folder, name)));
    }
    return paths.slice(0, MOST.programs);
  }

  return {
    onPath,
    async leads(words, lookup) {
      const paths = await onPath(words, lookup);
      const check = (path: string) => leadsOn(path, lookup.allowed);
      const isOne = await Promise.all(paths.map((path) => kept(programs, path, check)));
      return paths.filter((_, at) => isOne[at]);
    },
  };
}

function kept<T>(values: Map<string, T>, key: string, make: (key: string) => T): T {
  const value = values.get(key) ?? make(key);
  values.set(key, value);
  return value;
}

/** Keys of the names in a folder, of which the system may ignore the case; undefined where it cannot be
 * listed. */
async function keysIn(folder: string): Promise<ReadonlySet<string> | undefined> {
  try {
    return new Set((await readdir(folder)).map(keyOf));
  } catch (error) {
    return isNothing(error, folder) ? new Set() : undefined;
  }
}

async function leadsOn(path: string, allowed: readonly string[]): Promise<boolean> {
  if (!await isFile(path)) return false;
  const names = namesOf(path);
  return names.some((name) => allowed.some((one) => isBelow(name, one))) ||
    shimsAt(names).length > 0 || isScript(await firstBytes(path));
}

/** Folders of `PATH`. */
export function foldersOf({ bases: [cwd = "/"], path }: Lookup): string[] {
  const folders = path.split(delimiter).slice(0, MOST.folders);
  return [...new Set(folders.map((folder) => pathIn(cwd, folder)))];
}

/** Programs that a shim may start: those of its name in each version. */
export async function behindShim(path: string): Promise<string[]> {
  const folders: string[] = [];
  for (const shims of shimsAt(namesOf(path))) {
    const tools = await entriesIn(join(shims, "../installs"));
    folders.push(...await entriesIn(join(shims, "../versions")));
    for (const tool of tools) folders.push(...await entriesIn(tool));
  }
  const programs = folders.slice(0, MOST.versions)
    .map((folder) => join(folder, "bin", basename(path)));
  const isThere = await Promise.all(programs.map(isFile));
  return programs.filter((_, at) => isThere[at]);
}

/** Folders of shims among those of a program's names. */
function shimsAt(names: readonly string[]): string[] {
  return [...new Set(names.map(dirname))].filter((folder) => basename(folder) === "shims");
}

/** Folders of npm's global packages that words name: `npx` runs what is linked there. */
export async function globalPackages(words: readonly string[], lookup: Lookup): Promise<string[]> {
  const names = words.flatMap((word) => /^(?:@[\w.-]+\/)?\w[\w.-]*/.exec(word)?.[0] ?? []);
  if (names.length === 0) return [];
  // npm's own folder is the one beside the real `node`.
  const bins = foldersOf(lookup).flatMap((bin) => [bin, dirname(realOf(join(bin, "node")))]);
  const roots = new Set(bins.map((bin) => join(dirname(bin), "lib/node_modules")));
  const folders = names.flatMap((name) => [...roots].map((root) => join(root, name)));
  const isThere = await Promise.all(folders.map((folder) => infoOf(folder)));
  return folders.filter((_, at) => isThere[at]?.isDirectory());
}

async function entriesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.slice(0, MOST.versions).map((name) => join(folder, name));
}

async function isFile(path: string): Promise<boolean> {
  return (await infoOf(path))?.isFile() === true;
}

async function infoOf(path: string) {
  return await stat(path).catch(() => undefined);
}
