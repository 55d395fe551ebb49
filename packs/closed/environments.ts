/** Folders that interpreters load from: virtual environments of Python, those of conda, under any name,
 * and what lies around an interpreter. */

import { basename, dirname, join } from "node:path";
import { attempt } from "#base";
import { readRegularText } from "#files";
import { isInterpreter } from "../interpreters.ts";
import { type LinkPlaces, searchBase } from "./closed_links.ts";
import { namesOf, pathIn } from "./link_names.ts";
import { isBelow } from "./names.ts";
import { infoOf, type Programs } from "./scripts.ts";

/** Entries that belong to an environment. */
const PARTS = ["bin", "lib", "lib64", "scripts", "pyvenv.cfg", "conda-meta"];

/** Folders of environments. Of one that holds a folder that programs may use, only the entries that
 * belong to the environment. */
export async function environmentsIn(places: LinkPlaces): Promise<string[]> {
  const { bases } = places;
  return (await foundIn(places)).flatMap((folder) => {
    if (!bases.some((base) => isBelow(base, folder))) return folder;
    return PARTS.map((name) => join(folder, name));
  });
}

async function foundIn(places: LinkPlaces): Promise<string[]> {
  const folders: string[] = [];
  for (const base of places.bases) folders.push(...(await searchBase(base, places)).environments);
  return folders;
}

/** Folders beside that of an interpreter from which it loads, missing ones too: `etc/npmrc`,
 * `lib/python313.zip`. */
const AROUND = ["etc", "include", "lib", "lib64", "libexec", "share"];
/** Limit of the entries that are checked in a folder of programs. A folder with more counts as one
 * with an interpreter. */
const MOST_PROGRAMS = 10_000;

/** Folders from which the interpreters in a folder of programs load, itself included, if it lies in
 * one of `bases`, the folders that programs may use. Folders that hold a base are left out. */
export async function aroundInterpreters(
  folder: string,
  bases: readonly string[],
): Promise<string[]> {
  return isInside(folder, bases) && await hasInterpreter(folder) ? around(folder, bases) : [];
}

/** Adds what lies around the interpreters that programs lead to, and that environments come from. */
export async function addInterpreters(programs: Programs, places: LinkPlaces): Promise<void> {
  const { files, interpreters, environments, trees } = programs;
  const { bases } = places;
  const own = await interpretersAt([...files, ...interpreters]);
  const above = own.flatMap((path) => [dirname(path), dirname(dirname(path))]);
  const all = new Set([...above, ...environments, ...await foundIn(places)]);
  const origins = new Set([...all].flatMap(originsOf));
  const folders = new Set([...own, ...await interpretersAt(origins)].map(dirname));
  for (const folder of await besidePrograms([...files, ...origins], bases)) folders.add(folder);
  for (const folder of folders) {
    for (const path of around(folder, bases)) trees.add(path);
  }
}

/** Names of those of the paths that are interpreters, the names behind links too. */
async function interpretersAt(paths: Iterable<string>): Promise<string[]> {
  const names = new Set<string>();
  for (const path of new Set(paths)) {
    if (!isInterpreter(basename(path)) || !(await infoOf(path))?.isFile()) continue;
    for (const name of namesOf(path)) names.add(name);
  }
  return [...names];
}

/** Bytes that are read of a `pyvenv.cfg`. */
const MOST_BYTES = 64 * 1024;
const ORIGIN = /^[^\S\n]*(home|(?:base-)?executable)[^\S\n]*=([^\r\n]+)$/gim;
const VERSION = /^\s*version\w*\s*=\s*(\d+\.\d+)/im;

/** Paths at which the interpreter may lie that a virtual environment was made from. */
function originsOf(environment: string): string[] {
  const text = attempt(() => readRegularText(join(environment, "pyvenv.cfg"), MOST_BYTES)) ?? "";
  const [, version = ""] = VERSION.exec(text) ?? [];
  return [...text.matchAll(ORIGIN)].flatMap(([, key = "", value = ""]) => {
    const path = pathIn(environment, value.trim());
    if (key.toLowerCase() !== "home") return path;
    return ["python", "python3", `python${version}`].map((name) => join(path, name));
  });
}

/** Folders of interpreters in which one of the files is a program. */
async function besidePrograms(
  files: readonly string[],
  bases: readonly string[],
): Promise<string[]> {
  const inside = files.filter((path) => isInside(dirname(path), bases));
  const folders: string[] = [];
  for (const [folder, paths] of Map.groupBy(inside, dirname)) {
    if (await hasInterpreter(folder) && await hasProgram(paths)) folders.push(folder);
  }
  return folders;
}

async function hasProgram(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const info = await infoOf(path);
    if (info?.isFile() && (info.mode & 0o111) !== 0) return true;
  }
  return false;
}

function isInside(folder: string, bases: readonly string[]): boolean {
  return bases.some((base) => isBelow(folder, base));
}

/** Folders from which an interpreter in a folder loads: that folder and those beside it. Of a folder
 * that holds a base, those in it. */
function around(folder: string, bases: readonly string[]): string[] {
  if (!isInside(folder, bases)) return [];
  const holds = (path: string) => bases.some((base) => isBelow(base, path));
  const own = holds(folder) ? AROUND.map((name) => join(folder, name)) : [folder];
  const beside = AROUND.map((name) => join(dirname(folder), name));
  return [...own, ...beside].filter((path) => !holds(path));
}

async function hasInterpreter(folder: string): Promise<boolean> {
  let count = 0;
  try {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (++count > MOST_PROGRAMS || (!isDirectory && isInterpreter(name))) return true;
    }
  } catch {
    // It is no folder, or one that cannot be read.
  }
  return false;
}
